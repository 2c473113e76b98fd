"""Chronicle in other programs that build sites: only these modules, and the plug-in, know MkDocs and its themes.

An adapter takes finished pages (:class:`chronicle.site.files.SiteFile`) and hands them to a site builder
through the builder's public interface. It replaces no method and no class of the builder.
"""
