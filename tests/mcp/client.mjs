// A session with `reqgate mcp`, or with `reqgate serve` at an address, through an official TypeScript client, in one era of the protocol
// (`old`: the client before eras).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [reqgate, project, era] = process.argv.slice(2);
const isOld = era === 'old';
const { Client } = await import(isOld ? '@modelcontextprotocol/sdk/client/index.js' : '@modelcontextprotocol/client');
const isHttp = reqgate.startsWith('http://');

async function transport() {
    if (isHttp) {
        const { StreamableHTTPClientTransport } = await import(
            isOld ? '@modelcontextprotocol/sdk/client/streamableHttp.js' : '@modelcontextprotocol/client'
        );
        return new StreamableHTTPClientTransport(new URL(reqgate));
    }
    const { StdioClientTransport } = await import(
        isOld ? '@modelcontextprotocol/sdk/client/stdio.js' : '@modelcontextprotocol/client/stdio'
    );
    return new StdioClientTransport({ command: reqgate, args: ['mcp'], cwd: project });
}

const mode = ['legacy', 'auto'].includes(era) ? era : { pin: era };
const client = new Client({ name: 'test', version: '1' }, isOld ? {} : { versionNegotiation: { mode } });
await client.connect(await transport());

async function tool(name, args) {
    const result = await client.callTool({ name, arguments: args });
    assert.ok(!result.isError, JSON.stringify(result));
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
    return result.structuredContent;
}

const { tools } = await client.listTools();
assert.equal(tools.length, 8);
const { prompts } = await client.listPrompts();
assert.deepEqual(prompts.map((prompt) => prompt.name), ['write_ticket', 'start_prd']);
const prompt = await client.getPrompt({ name: 'start_prd', arguments: { idea: 'an export' } });
assert.ok(prompt.messages[0].content.text.endsWith('an export'));

const vague = await tool('check_requirement', { path: 'vague.md' });
assert.equal(vague.verdict, 'REJECT');
const failed = await client.callTool({ name: 'check_requirement', arguments: { path: '../x' } });
assert.ok(failed.isError && failed.content[0].text.startsWith('bad_path: '));

const text = readFileSync(join(project, 'ticket.md'), 'utf8');
const order = await tool('review_requirement', { text });
const ask = 'Which of the two warehouses is the export for?';
const questions = [{ code: 'what', quote: 'NOWHERE', ask, must: true }];
const reading = { kind: 'feature', evidence: [], questions, ready: 0 };
const judged = await tool('review_requirement', { text, order_id: order.order_id, reading });
assert.equal(judged.verdict, 'REJECT');
assert.equal(judged.questions[0], ask);

const standing = await tool('prd_start', { files: ['ticket.md'], idempotency_key: 'one' });
assert.equal(standing.kind, 'write');
const stale = await tool('prd_submit', { order_id: `${standing.thread}.1.0.9`, result: {} });
assert.equal(stale.status, 'stale');
assert.equal(stale.next.order_id, standing.order_id);
const again = await tool('prd_next', { thread: standing.thread });
assert.equal(again.order_id, standing.order_id);
assert.deepEqual((await client.listResources()).resources, []);
await assert.rejects(client.readResource({ uri: 'reqgate://threads/none/prd.md' }), /no resource/);
await client.close();
console.log(`typescript, ${isHttp ? 'HTTP' : 'stdio'}, ${era}: ok`);
