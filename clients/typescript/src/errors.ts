import { Code, ConnectError } from "@connectrpc/connect";

import { ErrorInfoSchema, RetryInfoSchema } from "./api/google/rpc/error_details_pb.js";

const TRIES = 4;

/** Why the server refused a call, or that it could not be reached. */
export class FestingerError extends Error {
  override name = "FestingerError";
  /** The canonical gRPC code. */
  readonly code: Code;
  /**
   * The name of an ErrorReason without its prefix, such as `FACT_SYNTAX`. Empty if the
   * error is not the server's.
   */
  readonly reason: string;
  /** How long to wait before another try, in milliseconds; 0 if the server did not say. */
  readonly retryAfter: number;

  constructor(cause: unknown) {
    const told = ConnectError.from(cause);
    super(told.rawMessage, { cause });
    this.code = told.code;
    const info = told.findDetails(ErrorInfoSchema).find((it) => it.domain === "festinger");
    this.reason = info?.reason.replace(/^ERROR_REASON_/, "") ?? "";
    const delay = told.findDetails(RetryInfoSchema)[0]?.retryDelay;
    this.retryAfter = delay ? Number(delay.seconds) * 1000 + delay.nanos / 1e6 : 0;
  }
}

/**
 * Repeats a call while the server asks to come again, or is away, until its time is up.
 *
 * @param milliseconds - How long the call may take with all its tries.
 * @param repeatable - Whether it may be repeated after a broken connection.
 * @param call - Makes the call within the milliseconds that are left.
 */
export async function attempt<Response>(
  milliseconds: number,
  repeatable: boolean,
  call: (left: number) => Promise<Response>,
): Promise<Response> {
  const end = performance.now() + milliseconds;
  for (let away = 0; ; ) {
    try {
      // The header of a deadline takes whole milliseconds.
      return await call(Math.max(1, Math.ceil(end - performance.now())));
    } catch (cause) {
      const error = cause instanceof FestingerError ? cause : new FestingerError(cause);
      let pause = error.retryAfter;
      if (pause === 0) {
        away += 1;
        if (!repeatable || error.code !== Code.Unavailable || away === TRIES) throw error;
        pause = away * away * 200;
      }
      // Clients that were refused together must not come again together.
      pause *= 1 + Math.random();
      if (performance.now() + pause >= end) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
