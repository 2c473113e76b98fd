"""The files of the page templates: Chronicle's own, and those of a project."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, TemplateSyntaxError, nodes

from chronicle.core.diagnostic import did_you_mean, listed

_SITE_FOLDER = Path(__file__).parent


def template_folders() -> list[Path]:
    """Where the page templates are: in the package, or beside it in a checkout."""
    return [
        folder
        for folder in (_SITE_FOLDER.parent / "_templates", _SITE_FOLDER.parent.parent / "templates")
        if (folder / "macros").is_dir()
    ][:1]


def has_templates(project_folder: Path) -> bool:
    """Whether a project has templates of its own."""
    own_templates = project_folder / "templates"
    return own_templates.is_dir() and own_templates.resolve() not in template_folders()


def template_names(*more_folders: Path) -> list[str]:
    """The names of Chronicle's templates, such as ``pages/sheet.html``, and of those in further folders."""
    return FileSystemLoader([*more_folders, *template_folders()]).list_templates()


def unused_templates(template_folder: Path) -> Iterator[str]:
    """A remark for each template of a project that replaces none of Chronicle's, and that no other one mentions.

    Files outside of the folders of Chronicle's templates may belong to the theme of the site, unless they only lack
    the folder.
    """
    known_names = template_names()
    known_folders = {template_name.partition("/")[0] for template_name in known_names}
    text_by_template = {
        file.relative_to(template_folder).as_posix(): file.read_text(
            encoding="utf-8", errors="replace"
        )
        for file in sorted(template_folder.rglob("*.html"))
        if file.is_file()
    }
    for template_name in text_by_template:
        names_without_folder = [
            known_name
            for known_name in known_names
            if known_name.partition("/")[2] == template_name
        ]
        resembles_known_template = (
            template_name.partition("/")[0] in known_folders or names_without_folder
        )
        if not resembles_known_template or template_name in known_names:
            continue
        if not any(
            template_name in other_text
            for other_name, other_text in text_by_template.items()
            if other_name != template_name
        ):
            suggestion = did_you_mean(template_name, names_without_folder or known_names)
            yield f"templates/{template_name} replaces no template of Chronicle, so it is not used{suggestion}"


def unused_blocks(template_folder: Path) -> Iterator[str]:
    """A remark for each block of a project's template that the template of Chronicle which it extends does not have."""
    known_names = template_names()
    for file in sorted(template_folder.rglob("*.html")):
        line_by_block, parent_names = _blocks_and_parents(file)
        for parent in parent_names:
            original_name = parent.removeprefix("chronicle/")
            if original_name not in known_names or (
                parent != file.relative_to(template_folder).as_posix()
                and (template_folder / parent).exists()
            ):
                continue
            known_blocks = _all_blocks(original_name)
            for block_name, line_number in line_by_block.items():
                if block_name in known_blocks:
                    continue
                location = f"templates/{file.relative_to(template_folder).as_posix()}:{line_number}"
                suggestion_text = did_you_mean(block_name, known_blocks) or (
                    f"; its blocks are {listed(known_blocks)}"
                    if known_blocks
                    else f'; it has no blocks: write  {{% include "{original_name}" %}}  in place of  extends'
                )
                yield f"{location}: '{original_name}' has no block '{block_name}', so it is not used{suggestion_text}"


def _blocks_and_parents(file: Path) -> tuple[dict[str, int], list[str]]:
    """The blocks that a template fills, each with its line, and the templates that it extends."""
    try:
        tree = Environment(autoescape=True).parse(
            file.read_text(encoding="utf-8", errors="replace")
        )
    except TemplateSyntaxError:  # the page that uses it tells it
        return {}, []
    line_by_block = {
        block_node.name: block_node.lineno for block_node in tree.find_all(nodes.Block)
    }
    parent_nodes = [node.template for node in tree.find_all(nodes.Extends)]
    return line_by_block, [
        parent.value for parent in parent_nodes if isinstance(parent, nodes.Const)
    ]


def _all_blocks(template_name: str) -> list[str]:
    """The blocks of a template of Chronicle, and of those that it extends."""
    line_by_block, parent_names = _blocks_and_parents(template_folders()[0] / template_name)
    return [
        *dict.fromkeys(
            [
                *line_by_block,
                *(block_name for parent in parent_names for block_name in _all_blocks(parent)),
            ]
        )
    ]
