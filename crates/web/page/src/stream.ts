// Following live work: by server-sent events, or line by line.

import { api } from "./api";
import { toast } from "./dom";

/** Calls `show` with the state now and whenever it changes, until the work ends. Returns how to stop following. */
export function follow<T>(path: string, show: (state: T) => void): () => void {
  let alive = true;
  const source = new EventSource(`${path}/events`);
  const take = (event: MessageEvent<string>): void => {
    if (alive) show(JSON.parse(event.data) as T);
  };
  source.addEventListener("state", take);
  source.addEventListener("end", (event) => {
    take(event);
    source.close();
  });
  source.addEventListener("error", () => {
    // The browser tries again by itself unless the server has refused.
    if (source.readyState !== EventSource.CLOSED || !alive) return;
    api.get<T>(path).then(
      (state) => alive && show(state),
      (error: Error) => alive && toast(error.message),
    );
  });
  return () => {
    alive = false;
    source.close();
  };
}

/** Hands over each line of JSON as it comes, until there are no more. */
export async function lines<T>(response: Response, take: (line: T) => void): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    const whole = (rest + part.value).split("\n");
    rest = whole.pop() ?? "";
    for (const line of whole) take(JSON.parse(line) as T);
  }
}
