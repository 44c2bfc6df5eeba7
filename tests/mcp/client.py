"""A session with `reqgate mcp`, or with `reqgate serve` at an address, through the official Python client, in one era of the protocol."""

import json
import pathlib
import sys

import anyio
import mcp_types as types
from mcp import Client, MCPError, StdioServerParameters

reqgate, project, era = sys.argv[1:]
IS_HTTP = reqgate.startswith("http://")
SERVER = reqgate if IS_HTTP else StdioServerParameters(command=reqgate, args=["mcp"], cwd=project)
READY = pathlib.Path(project, "ticket.md").read_text()
MUST = "Which of the two warehouses is the export for?"


def brief(quote):
    source = {"source": "ticket.md", "line": 1, "quote": quote}
    return {"title": "Export orders", "language": "en", "goals": [{"text": "Orders can be exported.", "source": source}]}


async def by_form(ask_id):
    """The same question through the client's own form: left, left, and filled in."""
    forms = []
    replies = [types.ElicitResult(action="decline"), types.ElicitResult(action="cancel"), types.ElicitResult(action="accept", content={"decision": "approve"})]

    async def person(_, params):
        forms.append(params)
        return replies[len(forms) - 1]

    async with Client(SERVER, mode=era, elicitation_callback=person) as client:
        statuses = []
        for _ in replies:
            result = await client.call_tool("prd_answer", {"ask_id": ask_id})
            assert not result.is_error, result
            statuses.append(result.structured_content["status"])
        if IS_HTTP and era == "legacy":
            # Without a stream nobody can be asked meanwhile: a person answers in a browser.
            assert not forms and set(statuses) == {"for_a_person"}, statuses
            return False
        assert statuses == ["for_a_person", "for_a_person", "accepted"], statuses
    assert len(forms) == 3 and all("Orders can be exported." in form.message for form in forms), forms
    assert set(forms[0].requested_schema["properties"]) == {"decision", "changes"}, forms[0]
    return True


async def main():
    async with Client(SERVER, mode=era) as client:

        async def tool(name, **arguments):
            result = await client.call_tool(name, arguments)
            assert not result.is_error, result
            assert json.loads(result.content[0].text) == result.structured_content, name
            return result.structured_content

        tools = (await client.list_tools()).tools
        assert len(tools) == 8 and all(tool.input_schema["type"] == "object" for tool in tools)
        assert [prompt.name for prompt in (await client.list_prompts()).prompts] == ["write_ticket", "start_prd"]
        prompt = await client.get_prompt("write_ticket", {"request": "an export"})
        assert prompt.messages[0].content.text.endswith("an export")

        vague = await tool("check_requirement", path="vague.md")
        assert vague["verdict"] == "REJECT" and vague["blockers"], vague
        failed = await client.call_tool("check_requirement", {"path": "../x"})
        assert failed.is_error and failed.content[0].text.startswith("bad_path: "), failed

        order = await tool("review_requirement", text=READY)
        reading = {"kind": "feature", "evidence": [], "ready": 0}
        reading["questions"] = [{"code": "what", "quote": "NOWHERE", "ask": MUST, "must": True}]
        judged = await tool("review_requirement", text=READY, order_id=order["order_id"], reading=reading)
        assert judged["verdict"] == "REJECT" and judged["questions"][0] == MUST, judged

        standing = await tool("prd_start", files=["ticket.md"], idempotency_key="one")
        assert standing["kind"] == "write", standing
        rejected = await tool("prd_submit", order_id=standing["order_id"], result=brief("nobody wrote these words"))
        assert rejected["status"] == "rejected" and rejected["problems"], rejected
        quote = next(line for line in READY.splitlines() if len(line.split()) > 6).removeprefix("- ")
        accepted = await tool("prd_submit", order_id=rejected["next"]["order_id"], result=brief(quote))
        assert accepted["status"] == "accepted" and accepted["next"]["kind"] == "ask_human", accepted
        ask_id = accepted["next"]["ask_id"]
        off = await tool("prd_answer", ask_id=ask_id, answer={"approved": True})
        assert off["status"] == "for_a_person" and ("browser" if IS_HTTP else "command line") in off["note"], off
        assert not IS_HTTP or off["next"]["answer_with"][0] == reqgate.removesuffix("mcp") + "inbox/" + ask_id, off
        is_answered = await by_form(ask_id)
        status = await tool("prd_status", thread=standing["thread"])
        assert status["status"] == ("waiting-for-work" if is_answered else "waiting-for-person"), status
        try:
            await client.read_resource("reqgate://threads/none/prd.md")
        except MCPError as error:
            assert "no resource" in str(error), error
        else:
            raise AssertionError("a resource that does not exist was read")


anyio.run(main)
print(f"python, {'HTTP' if IS_HTTP else 'stdio'}, {era}: ok")
