import { AsyncLocalStorage } from 'node:async_hooks'

/** What a span says besides its name: templates, kinds and outcomes; no id of a record, address, statement or text. */
export type SpanAttributes = Record<string, string | number>

/** Where a span is: it answers a request, does a job, calls another service, or none of these. */
export type SpanKind = 'server' | 'consumer' | 'client' | 'internal'

export interface SpanStart {
  kind: SpanKind
  attributes?: SpanAttributes
  /** The `traceparent` (W3C) of the span above, whose trace and sampling it continues. */
  parent?: string | null | undefined
  /** The `traceparent` of a span that the new trace refers to, and nothing more. */
  link?: string | null | undefined
}

/** One piece of work with its start and end. */
export interface Span {
  /** This span as the W3C header `traceparent`. */
  traceParent: string
  child(name: string, start: Omit<SpanStart, 'parent' | 'link'>): Span
  /** Ends the span. `error` is the name of a class of errors; messages can hold what people wrote. */
  end(attributes?: SpanAttributes, error?: string): void
}

/** The traces of one process. */
export interface Tracing {
  /** Starts a span: of the trace of its parent, or of a new one. A parent or link that is no `traceparent` is ignored. */
  start(name: string, start: SpanStart): Span
  /** Sends what is not sent yet. */
  close(): Promise<void>
}

const active = new AsyncLocalStorage<Span>()

/** Does the work with the span as the active one. */
export function withSpan<T>(span: Span, work: () => T): T {
  return active.run(span, work)
}

/** Returns the `traceparent` of the active span; null when nothing is traced. */
export function activeTraceParent(): string | null {
  return active.getStore()?.traceParent ?? null
}

/** Does the work in a span below the active one; when nothing is traced, only the work. */
export async function inSpan<T>(
  name: string,
  start: Omit<SpanStart, 'parent' | 'link'>,
  work: () => Promise<T>,
): Promise<T> {
  const parent = active.getStore()
  return parent ? endWith(parent.child(name, start), work) : work()
}

/** Does the work with the span as the active one, and ends the span with it. */
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
