// The official JavaScript clients, driven line by line: requests come in, what they give
// goes out, as JSON. Runs in a Node.js of its own.
//
// A request names a client, one of its calls and the arguments. Each chunk of a stream
// goes out as it comes; what ends an answer is an `answer` or an `error`. With
// `abort_after` the stream is aborted after so many chunks.
"use strict";

const { createRequire } = require("node:module");
const { createInterface } = require("node:readline");

const [clients] = process.argv.slice(2);
const load = createRequire(`${clients}/package.json`);

// Loaded when it is asked for, since that takes longer than anything else here.
const MAKERS = {
  ollama(url) {
    const { Ollama } = load("ollama");
    return new Ollama({ host: url });
  },
  openai(url) {
    const { OpenAI } = load("openai");
    return new OpenAI({ baseURL: `${url}/v1`, apiKey: "none", maxRetries: 0 });
  },
  anthropic(url) {
    const { Anthropic } = load("@anthropic-ai/sdk");
    return new Anthropic({ baseURL: url, apiKey: "none", maxRetries: 0 });
  },
};

const say = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);

function abort(made, stream) {
  if (stream.controller) stream.controller.abort();
  else made.abort();
}

async function answer({ client, url, call, args, abort_after: limit }) {
  const made = MAKERS[client](url);
  const names = call.split(".");
  const last = names.pop();
  const owner = names.reduce((object, name) => object[name], made);
  const given = await owner[last](args);
  if (!args.stream) return say({ answer: given });
  let chunks = 0;
  for await (const chunk of given) {
    say({ chunk });
    chunks += 1;
    if (chunks === limit) abort(made, given);
  }
  say({ answer: null });
}

async function main() {
  say({ ready: true });
  for await (const line of createInterface({ input: process.stdin })) {
    try {
      await answer(JSON.parse(line));
    } catch (error) {
      say({ error: String(error.message), kind: error.name, status: error.status ?? error.status_code ?? null });
    }
  }
}

main();
