"""Add-ons: the optional rules of the book, one small module each.

``base`` says what an add-on is, ``catalogue`` lists them all, ``adopting`` puts one in force and refuses
what contradicts. A campaign adopts add-ons in ``campaign.yaml`` (``add ons:``) or in mid-play by a Rules
Gimmick (``adopt:``). ``specimens/`` holds a short campaign for each.
"""
