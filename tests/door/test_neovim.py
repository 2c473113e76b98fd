"""The language server in a real editor: findings, completion, a mended file, laid out and saved."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.conftest import ROOT
from tests.heads import without_keepers_words
from tests.needs import neovim

SCRIPT = """
local client = vim.lsp.start_client({
  name = 'chronicle',
  cmd = { '%(python)s', '-m', 'chronicle', 'lsp' },
  root_dir = '%(home)s',
  workspace_folders = { { uri = vim.uri_from_fname('%(home)s'), name = 'coast' } },
})
local told = {}
local function wait(what, ready)
  if not vim.wait(60000, ready, 50) then told.failed = what end
end
local ok, why = pcall(function()
  vim.cmd('edit %(home)s/02.yaml')
  vim.bo.filetype = 'yaml'
  vim.lsp.buf_attach_client(0, client)
  wait('findings', function() return #vim.diagnostic.get(0) > 0 end)
  told.found = vim.tbl_map(function(one) return one.message end, vim.diagnostic.get(0))
  local row = vim.diagnostic.get(0)[1].lnum
  vim.api.nvim_win_set_cursor(0, { row + 1, 0 })
  local range = vim.lsp.util.make_range_params()
  range.context = { diagnostics = vim.lsp.diagnostic.get_line_diagnostics(0, row) }
  local offered = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', range, 60000)
  local action = offered[client].result[1]
  told.action = action.title
  vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
  wait('no findings', function() return #vim.diagnostic.get(0) == 0 end)
  local last = vim.api.nvim_buf_line_count(0)
  vim.api.nvim_buf_set_lines(0, last, last, false, { '-   aside:   We stop here', '- ' })
  vim.api.nvim_win_set_cursor(0, { last + 2, 2 })
  local position = vim.lsp.util.make_position_params()
  position.position = { line = last + 1, character = 2 }
  local fits = vim.lsp.buf_request_sync(0, 'textDocument/completion', position, 60000)
  told.fits = vim.tbl_map(function(one) return one.label end, fits[client].result.items)
  vim.api.nvim_buf_set_lines(0, last + 1, last + 2, false, {})
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ formatting_options = { tabSize = 2, insertSpaces = true }, timeout_ms = 60000 })
  else
    vim.lsp.buf.formatting_sync({ tabSize = 2, insertSpaces = true }, 60000)
  end
  vim.cmd('write')
end)
if not ok then told.failed = tostring(why) end
local file = io.open('%(home)s/told.json', 'w')
file:write(vim.fn.json_encode(told))
file:close()
vim.cmd('qall!')
"""


NEWER = """
vim.lsp.config('chronicle', {
  cmd = { '%(python)s', '-m', 'chronicle', 'lsp' },
  filetypes = { 'yaml' },
  root_markers = { 'campaign.yaml' },
})
vim.lsp.enable('chronicle')
local told = {}
local function wait(what, ready)
  if not vim.wait(120000, ready, 50) then told.failed = what end
end
local ok, why = pcall(function()
  vim.cmd('edit %(home)s/02.yaml')
  vim.bo.filetype = 'yaml'
  wait('the server', function() return #vim.lsp.get_clients({ bufnr = 0 }) > 0 end)
  vim.lsp.inlay_hint.enable(true, { bufnr = 0 })
  wait('hints', function() return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0 end)
  told.hints = vim.tbl_map(function(one) return one.inlay_hint.label end, vim.lsp.inlay_hint.get({ bufnr = 0 }))
  local row = vim.fn.search('draw: {Hester Teague: .name', 'w') - 1
  vim.api.nvim_win_set_cursor(0, { row + 1, 8 })
  local function at(column) return vim.lsp.semantic_tokens.get_at_pos(0, row, column) or {} end
  wait('colours', function() return #at(9) > 0 end)
  told.verb, told.name = at(2)[1].type, at(9)[1].type
  row = vim.fn.search('^  to: Tunde', 'w') - 1
  told.player, told.whose = at(6)[1].type, vim.tbl_keys(at(6)[1].modifiers)
end)
if not ok then told.failed = tostring(why) end
local file = io.open('%(home)s/told.json', 'w')
file:write(vim.fn.json_encode(told))
file:close()
vim.cmd('qall!')
"""
"""The settings of ``docs/editors.md`` since 0.11, with what older ones do not show."""


def played(nvim: str, script: str, home: Path) -> Any:
    """What a script told that ran in Neovim, beside a campaign."""
    file = home.parent / "script.lua"
    settings = {"python": sys.executable, "home": home.as_posix()}
    file.write_text(script % settings, encoding="utf-8")
    subprocess.run(
        [nvim, "--headless", "--clean", "-n", "-c", f"luafile {file}", "-c", "qall!"],
        timeout=240, check=True, capture_output=True,
        env={**os.environ, "HOME": str(home.parent), "XDG_STATE_HOME": str(home.parent)},
    )  # fmt: skip
    report = json.loads((home / "told.json").read_text(encoding="utf-8"))
    assert not report.get("failed"), report
    return report


def test_hints_and_colours_in_a_newer_neovim(tmp_path: Path) -> None:
    home = tmp_path / "coast"
    shutil.copytree(ROOT / "sessions" / "the-lantern-coast", home)
    report = played(neovim((0, 11)), NEWER, home)
    assert any("Marit 9" in str(hint) for hint in report["hints"])
    assert report["verb"] == "keyword" and report["name"] == "class"
    assert report["player"] == "variable" and report["whose"][0].startswith("player")


def test_an_evening_in_neovim(tmp_path: Path) -> None:
    home = tmp_path / "coast"
    shutil.copytree(ROOT / "sessions" / "the-lantern-coast", home)
    for file in home.glob("[0-9]*.yaml"):
        file.write_text(without_keepers_words(file.read_text("utf-8")), "utf-8", newline="")
    log = home / "02.yaml"
    text = log.read_text(encoding="utf-8")
    end = text.index("- draw: {Hester Teague: [name, patient")
    above = text[:end]
    cut = above.rindex("- end turn:\n")
    # The forgotten slip of every table, in the middle of an evening.
    log.write_text(
        above[:cut] + above[cut + len("- end turn:\n") :] + "- end turn:\n  by: Joss\n",
        encoding="utf-8",
    )
    (home / "03.yaml").unlink()
    report = played(neovim(), SCRIPT, home)
    assert report["found"] and "Leaves no problems" in report["action"]
    assert "end turn" in report["fits"] and "draw" in report["fits"]
    saved = log.read_text(encoding="utf-8")
    assert saved.endswith("- aside: We stop here\n")
