"""The desk: pure answers for editors and for the table, over a campaign with texts that need not be
saved yet.

What is so at a line, who owes what, what may come next, what an entry would do, what solves a problem;
and writing an entry, gently, through a door that is given from outside. Plain data goes in and comes
out. Nothing here knows a site, a command line or a network, and all of it runs in a browser.
"""
