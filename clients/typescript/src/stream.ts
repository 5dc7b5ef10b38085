import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CallOptions } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";

import type {
  RecollectResponse,
  RecollectStreamRequestSchema,
  RecollectStreamResponse,
} from "./api/festinger/api/v1/memory_service_pb.js";
import { attempt, FestingerError } from "./errors.js";

type Request = MessageInitShape<typeof RecollectStreamRequestSchema>;
type Open = (requests: AsyncIterable<Request>, options: CallOptions) => AsyncIterable<RecollectStreamResponse>;

interface Waiting {
  answer(response: RecollectResponse): void;
  fail(error: FestingerError): void;
}

/**
 * Has any number of prompts recollected over one call that stays open. Answers come when they
 * are ready, in any order.
 */
export class RecollectStream {
  readonly #timeout: number;
  readonly #abort = new AbortController();
  readonly #waiting = new Map<bigint, Waiting>();
  readonly #unsent: Request[] = [];
  #wake = (): void => {};
  #last = 0n;
  #ended: FestingerError | undefined;

  /** @internal */
  constructor(timeout: number, open: Open) {
    this.#timeout = timeout;
    void this.#receive(open(this.#requests(), { signal: this.#abort.signal }));
  }

  /** Ends the stream; what has no answer yet fails with `Code.Canceled`. */
  close(): void {
    this.#end(new ConnectError("the stream was closed", Code.Canceled));
    this.#abort.abort();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /**
   * Reads a prompt and returns what the memory can tell about it.
   *
   * @param request - Its `id` is set; its tenant, project and others may name what this
   *   request alone is for.
   */
  async recollect(request: Request): Promise<RecollectResponse> {
    return attempt(this.#timeout, false, (left) => this.#ask(request, left));
  }

  async #ask(request: Request, milliseconds: number): Promise<RecollectResponse> {
    if (this.#ended) throw this.#ended;
    const id = ++this.#last;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise((answer, fail) => {
        const late = new ConnectError("the memory server did not answer in time", Code.DeadlineExceeded);
        timer = setTimeout(() => fail(new FestingerError(late)), milliseconds);
        this.#waiting.set(id, { answer, fail });
        this.#unsent.push({ ...request, id } as Request);
        this.#wake();
      });
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  async *#requests(): AsyncGenerator<Request, void, undefined> {
    while (!this.#ended) {
      yield* this.#unsent.splice(0);
      if (this.#ended || this.#unsent.length) continue;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async #receive(answers: AsyncIterable<RecollectStreamResponse>): Promise<void> {
    try {
      for await (const { id, result } of answers) {
        const waiting = this.#waiting.get(id);
        if (result.case === "response") waiting?.answer(result.value);
        else if (result.case === "error") waiting?.fail(new FestingerError(refused(result.value)));
      }
      this.#end(new ConnectError("the stream has ended", Code.Unavailable));
    } catch (error) {
      this.#end(error);
    }
  }

  #end(cause: unknown): void {
    this.#ended ??= new FestingerError(cause);
    for (const waiting of this.#waiting.values()) waiting.fail(this.#ended);
    this.#wake();
  }
}

type Status = Extract<RecollectStreamResponse["result"], { case: "error" }>["value"];

function refused({ code, message, details }: Status): ConnectError {
  const error = new ConnectError(message, code);
  error.details = details.map(({ typeUrl, value }) => ({
    type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1),
    value,
  }));
  return error;
}
