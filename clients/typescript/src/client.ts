import type { SecureContextOptions } from "node:tls";

import type { MessageInitShape } from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import type { CallOptions, Client, Interceptor } from "@connectrpc/connect";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";

import type { Concept } from "./api/festinger/api/v1/concept_pb.js";
import { ConceptService } from "./api/festinger/api/v1/concept_service_pb.js";
import type { Conflict } from "./api/festinger/api/v1/conflict_pb.js";
import { Conflict_State } from "./api/festinger/api/v1/conflict_pb.js";
import { ConflictService } from "./api/festinger/api/v1/conflict_service_pb.js";
import type { SayResponse, SearchLinesResponse } from "./api/festinger/api/v1/line_service_pb.js";
import { LineService } from "./api/festinger/api/v1/line_service_pb.js";
import type {
  RecollectResponse,
  ResolveRequestSchema,
  RetractResponse,
  TokeniseResponse_Token,
} from "./api/festinger/api/v1/memory_service_pb.js";
import { MemoryService, RecollectRequestSchema } from "./api/festinger/api/v1/memory_service_pb.js";
import type { Outcome } from "./api/festinger/api/v1/outcome_pb.js";
import { attempt } from "./errors.js";
import { RecollectStream } from "./stream.js";

/** How a client connects. */
export interface FestingerOptions {
  /** The memory; the server's default if absent. */
  tenant?: string;
  /** The bearer token. */
  token?: string;
  /** Where the agent works, in any script. */
  project?: string;
  /** How long a call may take with all its tries, in milliseconds; 10,000 if absent. */
  timeout?: number;
  /** Encrypts the connection: `{}` verifies by the system's authorities, `ca` by a file's. */
  tls?: SecureContextOptions;
}

/** A connection to a memory server. */
export class Festinger {
  readonly #session: Http2SessionManager;
  readonly #timeout: number;
  readonly #concepts: Client<typeof ConceptService>;
  readonly #conflicts: Client<typeof ConflictService>;
  readonly #lines: Client<typeof LineService>;
  readonly #memory: Client<typeof MemoryService>;

  /**
   * Prepares a client, which connects at its first call.
   *
   * @param address - `HOST:PORT`.
   */
  constructor(address: string, options: FestingerOptions = {}) {
    this.#timeout = options.timeout ?? 10_000;
    const baseUrl = `${options.tls ? "https" : "http"}://${address}`;
    this.#session = new Http2SessionManager(baseUrl, {}, options.tls);
    const transport = createGrpcTransport({
      baseUrl,
      sessionManager: this.#session,
      interceptors: [identified(options)],
    });
    this.#concepts = createClient(ConceptService, transport);
    this.#conflicts = createClient(ConflictService, transport);
    this.#lines = createClient(LineService, transport);
    this.#memory = createClient(MemoryService, transport);
  }

  /** Ends the connection. */
  close(): void {
    this.#session.abort();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Splits a text into tokens and says what is known of each. */
  async tokenise(text: string): Promise<TokeniseResponse_Token[]> {
    return (await this.#call((it) => this.#memory.tokenise({ text }, it))).tokens;
  }

  /**
   * Reads a prompt and returns what the memory can tell about it.
   *
   * After a broken connection it is repeated only if every turn has a digest: whether the
   * turns were read is not known, and they would teach twice.
   */
  async recollect(request: MessageInitShape<typeof RecollectRequestSchema>): Promise<RecollectResponse> {
    const { turns } = create(RecollectRequestSchema, request);
    const repeatable = turns.every((turn) => turn.seen || turn.digest.length > 0);
    return this.#call((it) => this.#memory.recollect(request, it), repeatable);
  }

  /**
   * Opens a stream that has any number of prompts recollected over one call. Close it when
   * it is not needed any more.
   */
  openStream(): RecollectStream {
    return new RecollectStream(this.#timeout, (requests, options) =>
      this.#memory.recollectStream(requests, options),
    );
  }

  /**
   * States a fact, such as `gnommoweb -isa repo`, and returns what became of it when that is
   * committed. A contradiction is an outcome, not an error.
   */
  async assert(fact: string): Promise<Outcome> {
    const request = { statement: { case: "fact" as const, value: fact }, requestId: crypto.randomUUID() };
    const answer = await this.#call((it) => this.#memory.assert(request, it));
    return answer.outcome!;
  }

  /** Takes a fact or a denial back. */
  async retract(fact: string, reasoning = ""): Promise<RetractResponse> {
    const statement = { case: "fact" as const, value: fact };
    const request = { statement, reasoning, requestId: crypto.randomUUID() };
    return this.#call((it) => this.#memory.retract(request, it));
  }

  /** Keeps what somebody says in plain words. */
  async say(text: string): Promise<SayResponse> {
    const request = { text, requestId: crypto.randomUUID() };
    return this.#call((it) => this.#lines.say(request, it));
  }

  /** Finds the lines that fit some words best. */
  async search(query: string, most = 10): Promise<SearchLinesResponse> {
    return this.#call((it) => this.#lines.searchLines({ query, pageSize: most }, it));
  }

  /** Returns a concept and the facts that place it. */
  async concept(name: string): Promise<Concept> {
    const answer = await this.#call((it) => this.#concepts.getConcept({ token: name }, it));
    return answer.concept!;
  }

  /** Yields the contradictions that wait for a decision, oldest first. */
  async *conflicts(): AsyncGenerator<Conflict, void, undefined> {
    const states = [Conflict_State.PENDING];
    let pageToken = "";
    do {
      const request = { states, pageToken };
      const page = await this.#call((it) => this.#conflicts.listConflicts(request, it));
      yield* page.conflicts;
      pageToken = page.nextPageToken;
    } while (pageToken);
  }

  /** Settles a conflict. For operators. */
  async resolve(request: MessageInitShape<typeof ResolveRequestSchema>): Promise<Conflict> {
    const named = { requestId: crypto.randomUUID(), ...request };
    const answer = await this.#call((it) => this.#memory.resolve(named as typeof request, it));
    return answer.conflict!;
  }

  #call<Response>(call: (options: CallOptions) => Promise<Response>, repeatable = true): Promise<Response> {
    return attempt(this.#timeout, repeatable, (timeoutMs) => call({ timeoutMs }));
  }
}

/** Adds what says who calls, and which memory. */
function identified({ tenant, token, project }: FestingerOptions): Interceptor {
  return (next) => (request) => {
    if (tenant) request.header.set("festinger-tenant", tenant);
    if (token) request.header.set("authorization", `Bearer ${token}`);
    if (project) request.header.set("festinger-project", encodeURIComponent(project));
    return next(request);
  };
}
