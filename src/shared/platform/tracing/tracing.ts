import { AsyncLocalStorage } from 'node:async_hooks'

/** The attributes of a span: templates, kinds and outcomes. They contain no record ids, addresses, statements or user text. */
export type SpanAttributes = Record<string, string | number>

/** What a span measures: a request (`server`), a job (`consumer`), a call of another service (`client`), or other work (`internal`). */
export type SpanKind = 'server' | 'consumer' | 'client' | 'internal'

export interface SpanStart {
  kind: SpanKind
  attributes?: SpanAttributes
  /** The W3C `traceparent` of the parent span. The new span belongs to its trace and follows its sampling decision. */
  parent?: string | null | undefined
  /** The `traceparent` of a span to which the new span only links, without joining its trace. */
  link?: string | null | undefined
}

/** One measured operation, with its start and end. */
export interface Span {
  /** This span as the W3C header `traceparent`. */
  traceParent: string
  child(name: string, start: Omit<SpanStart, 'parent' | 'link'>): Span
  /** Ends the span. `error` is the name of an error class; messages are left out, because they can contain user text. */
  end(attributes?: SpanAttributes, error?: string): void
}

/** The traces of one process. */
export interface Tracing {
  /** Starts a span in the trace of its parent, or in a new trace without one. A malformed `parent` or `link` is ignored. */
  start(name: string, start: SpanStart): Span
  /** Sends the remaining spans and stops. */
  close(): Promise<void>
}

const active = new AsyncLocalStorage<Span>()

/** Runs `work` with the span as the active one, and returns its result. */
export function withSpan<T>(span: Span, work: () => T): T {
  return active.run(span, work)
}

/** Returns the `traceparent` of the active span; null when nothing is traced. */
export function activeTraceParent(): string | null {
  return active.getStore()?.traceParent ?? null
}

/** Runs `work` in a child span of the active span. Without an active span it only runs `work`. */
export async function inSpan<T>(
  name: string,
  start: Omit<SpanStart, 'parent' | 'link'>,
  work: () => Promise<T>,
): Promise<T> {
  const parent = active.getStore()
  return parent ? endWith(parent.child(name, start), work) : work()
}

/** Runs `work` with the span as the active one, then ends the span, with the name of the error when `work` rejects. */
export async function endWith<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await withSpan(span, work)
    span.end()
    return result
  } catch (error) {
    span.end({}, error instanceof Error ? error.name : 'Error')
    throw error
  }
}
