import {
  type Context,
  isSpanContextValid,
  SpanKind as Kind,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { Config } from '../../config/config.ts'
import { version } from '../../config/version.ts'
import type { Span, SpanKind, SpanStart, Tracing } from '../../tracing/tracing.ts'

/** The time limit, in milliseconds, of sending one batch of spans, also of the last one at the end of a process. */
const SEND_WITHIN_MS = 3_000

type TracingConfig = Pick<
  Config,
  'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_TRACES_SAMPLER_ARG'
>

/**
 * Returns the tracing of this process. It sends spans to the collector at `OTEL_EXPORTER_OTLP_ENDPOINT` (OTLP, JSON over
 * HTTP). Returns null when that is not set, without loading the SDK. Spans that the collector does not accept are dropped.
 */
export async function openTracing(config: TracingConfig): Promise<Tracing | null> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = config
  if (!endpoint) return null
  const [{ OTLPTraceExporter }, { resourceFromAttributes }, sdk] = await Promise.all([
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
  ])
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers: headersOf(headers),
    timeoutMillis: SEND_WITHIN_MS,
  })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'flightline', 'service.version': version }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(config.OTEL_TRACES_SAMPLER_ARG) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, exportTimeoutMillis: SEND_WITHIN_MS })],
  })
  const tracer = provider.getTracer('flightline')

  function start(name: string, { kind, attributes = {}, link }: SpanStart, above: Context): Span {
    const linked = contextOf(link)
    const span = tracer.startSpan(
      name,
      { kind: kinds[kind], attributes, links: linked ? [{ context: linked }] : [] },
      above,
    )
    return {
      traceParent: traceParentOf(span),
      child: (below, given) => start(below, given, trace.setSpan(ROOT_CONTEXT, span)),
      end(also = {}, error) {
        span.setAttributes(also)
        if (error) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      },
    }
  }

  return {
    start(name, given) {
      const parent = contextOf(given.parent)
      return start(name, given, parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT)
    },
    close: () => provider.shutdown().catch(() => {}),
  }
}

const kinds: Record<SpanKind, Kind> = {
  server: Kind.SERVER,
  consumer: Kind.CONSUMER,
  client: Kind.CLIENT,
  internal: Kind.INTERNAL,
}

function traceParentOf(span: OtelSpan): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

/** Returns the span context of a `traceparent` of version 00; null for any other text. */
function contextOf(traceParent: string | null | undefined) {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceParent ?? '') ?? []
  const context = { traceId: traceId ?? '', spanId: spanId ?? '', traceFlags: Number.parseInt(flags ?? '0', 16) & 1 }
  return isSpanContextValid(context) ? { ...context, isRemote: true } : null
}

/** Parses headers in the form of OpenTelemetry's environment variables: `name=value,name=value`, with percent-encoded values. */
function headersOf(text = ''): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.split('='))
  return Object.fromEntries(
    pairs.flatMap(([name = '', ...value]) =>
      name.trim() === '' ? [] : [[name.trim(), decodeURIComponent(value.join('=').trim())]],
    ),
  )
}
