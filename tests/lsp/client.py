"""Drives `reqgate lsp` with pytest-lsp, which has the abilities of real editors: client.py PROGRAM PROJECT EDITOR."""

import asyncio
import pathlib
import sys

import pytest_lsp
from lsprotocol import types


async def diagnostics(client, uri):
    """The diagnostics of the last text: asked for where the editor asks, else the next that the server sends."""
    asks = client.capabilities.text_document.diagnostic is not None
    for _ in range(200):
        if asks:
            params = types.DocumentDiagnosticParams(text_document=types.TextDocumentIdentifier(uri=uri))
            return (await client.text_document_diagnostic_async(params)).items
        if uri in client.diagnostics:
            return client.diagnostics.pop(uri)
        await asyncio.sleep(0.05)
    raise AssertionError("no diagnostics were sent")


async def drive(program, project, editor):
    client = pytest_lsp.make_test_lsp_client()
    await client.start_io(program, "lsp", "--stdio", cwd=str(project))
    client.capabilities = pytest_lsp.client_capabilities(editor)
    folder = types.WorkspaceFolder(uri=project.as_uri(), name="project")
    result = await client.initialize_session(
        types.InitializeParams(capabilities=client.capabilities, workspace_folders=[folder], root_uri=project.as_uri())
    )
    encoding = result.capabilities.position_encoding
    offered = (client.capabilities.general and client.capabilities.general.position_encodings) or []
    assert encoding == ("utf-8" if "utf-8" in offered else "utf-16"), (encoding, offered)

    path = project / "工单.md"
    uri, text = path.as_uri(), path.read_text(encoding="utf-8")
    item = types.TextDocumentItem(uri=uri, language_id="markdown", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
    found = {str(one.code): one for one in await diagnostics(client, uri)}
    finding = found["open-point"]
    assert finding.message.startswith("事实："), finding
    assert finding.range.start.line == 4 and finding.range.start.character == 2, finding.range
    units = text.splitlines()[4].encode("utf-8" if encoding == "utf-8" else "utf-16-le")
    assert finding.range.end.character == len(units) // (1 if encoding == "utf-8" else 2), finding.range

    document = types.TextDocumentIdentifier(uri=uri)
    hover = await client.text_document_hover_async(
        types.HoverParams(text_document=document, position=finding.range.start)
    )
    assert "为什么重要" in hover.contents.value, hover
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(
            text_document=document, range=finding.range, context=types.CodeActionContext(diagnostics=[finding])
        )
    )
    assert any("默认做法" in action.title for action in actions), actions
    assert all(action.edit and action.command is None for action in actions), actions
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(text_document=document))
    assert symbols and symbols[0].name == "导出订单", symbols

    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            text_document=types.VersionedTextDocumentIdentifier(uri=uri, version=2),
            content_changes=[types.TextDocumentContentChangeWholeDocument(text=text.replace("待定", "为 CSV"))],
        )
    )
    assert "open-point" not in {str(one.code) for one in await diagnostics(client, uri)}
    await client.shutdown_session()
    await client.stop()


program, project, editor = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
asyncio.run(drive(program, project, editor))
print(f"pytest-lsp as {editor}: ok")
