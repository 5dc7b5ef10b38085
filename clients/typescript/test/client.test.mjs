import assert from "node:assert/strict";
import http2 from "node:http2";
import test from "node:test";

import { connectNodeAdapter } from "@connectrpc/connect-node";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  Conflict_Decision,
  Conflict_State,
  Festinger,
  FestingerError,
  MemoryService,
  Outcome_Verdict,
  Turn_Role,
} from "festinger-client";

const { FESTINGER_SERVER: server, FESTINGER_TOKEN: token } = process.env;
const live = server ? {} : { skip: "FESTINGER_SERVER names no memory server" };

function client(t, address = server, options = { token }) {
  const made = new Festinger(address, options);
  t.after(() => made.close());
  return made;
}

const ask = (text) => ({ turns: [{ role: Turn_Role.USER, text }] });

test("a contradiction waits until it is resolved", live, async (t) => {
  const memory = client(t);
  assert.equal((await memory.assert("node_tool -isa compiler")).verdict, Outcome_Verdict.HELD);
  const refused = await memory.assert("node_tool -isa game");
  assert.equal(refused.verdict, Outcome_Verdict.CONFLICTED);
  const waiting = [];
  for await (const conflict of memory.conflicts()) waiting.push(conflict.id);
  assert.deepEqual(waiting, [refused.conflictId]);
  const decision = Conflict_Decision.UPDATE;
  const settled = await memory.resolve({ conflictId: refused.conflictId, decision, reasoning: "it plays" });
  assert.equal(settled.state, Conflict_State.RESOLVED);
  assert.equal((await memory.concept("node_tool")).edges[0].parent, "game");
  await memory.retract("node_tool -isa game", "enough");
  assert.deepEqual((await memory.concept("node_tool")).edges, []);
});

test("what is said is found, and told to a prompt that needs it", live, async (t) => {
  const memory = client(t);
  await memory.say("The loom in Krefeld is oiled every April by Textor Service.");
  assert.ok((await memory.search("loom oiled", 5)).lines.length > 0);
  const { lines } = await memory.recollect(ask("Who oils the loom in Krefeld?"));
  assert.ok(lines.length > 0);
});

test("answers of a stream find who asked", live, async (t) => {
  const memory = client(t);
  for (let it = 0; it < 8; it++) await memory.assert(`node_${it} -isa module_${it}`);
  const stream = memory.openStream();
  t.after(() => stream.close());
  const asked = Array.from({ length: 64 }, async (_, it) => {
    const name = `node_${it % 8}`;
    const { lines } = await stream.recollect({ request: ask(`Tell me about ${name}.`) });
    // Facts come before what was said.
    assert.equal(lines[0].concept, name);
  });
  await Promise.all(asked);
});

test("a stream outlives a bad request, and ends when it is closed", live, async (t) => {
  const stream = client(t).openStream();
  const request = ask("Hello.");
  await assert.rejects(stream.recollect({ request, tenant: "nobody" }), (error) => {
    return error instanceof FestingerError && error.reason !== "";
  });
  await stream.recollect({ request });
  stream.close();
  await assert.rejects(stream.recollect({ request }), { code: Code.Canceled });
});

test("an error names its reason", live, async (t) => {
  const memory = client(t);
  await assert.rejects(memory.assert("nonsense"), { code: Code.InvalidArgument, reason: "FACT_SYNTAX" });
  await assert.rejects(memory.concept("never_met_before"), { reason: "CONCEPT_NOT_FOUND" });
});

test("a text is split into tokens with their places", live, async (t) => {
  const tokens = await client(t).tokenise("Grüße an Krefeld");
  assert.deepEqual(tokens.map((it) => it.text), ["grüße", "an", "krefeld"]);
  assert.equal(tokens[2].startOffset, 9);
});

/** Serves a memory of one's own. */
async function serve(t, memory) {
  const routes = (router) => router.service(MemoryService, memory);
  const listening = http2.createServer(connectNodeAdapter({ routes }));
  await new Promise((resolve) => listening.listen(0, "127.0.0.1", resolve));
  t.after(() => listening.close());
  return `127.0.0.1:${listening.address().port}`;
}

test("a statement is tried again under one request id", async (t) => {
  const ids = [];
  const address = await serve(t, {
    assert({ requestId }) {
      ids.push(requestId);
      if (ids.length === 1) throw new ConnectError("starting", Code.Unavailable);
      return { outcome: { verdict: Outcome_Verdict.HELD } };
    },
  });
  const outcome = await client(t, address, {}).assert("a -isa b");
  assert.equal(outcome.verdict, Outcome_Verdict.HELD);
  assert.equal(ids.length, 2);
  assert.equal(ids[0], ids[1]);
});

test("a prompt is read again only if its turns have digests", async (t) => {
  let read = 0;
  const address = await serve(t, {
    recollect() {
      read += 1;
      throw new ConnectError("starting", Code.Unavailable);
    },
  });
  const memory = client(t, address, {});
  const request = ask("My name is Ada.");
  await assert.rejects(memory.recollect(request), { code: Code.Unavailable });
  assert.equal(read, 1);
  request.turns[0].digest = new Uint8Array([1]);
  await assert.rejects(memory.recollect(request), { code: Code.Unavailable });
  assert.equal(read, 5);
});

test("a call ends at the client's timeout", async (t) => {
  const address = await serve(t, { tokenise: (_, { signal }) => new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve({}));
  }) });
  const memory = client(t, address, { timeout: 50 });
  await assert.rejects(memory.tokenise("anything"), { code: Code.DeadlineExceeded });
});

test("a server that is not there is unavailable", async (t) => {
  const memory = client(t, "127.0.0.1:9", { timeout: 300 });
  await assert.rejects(memory.tokenise("anything"), { code: Code.Unavailable });
});
