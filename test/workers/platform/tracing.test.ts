import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../../support/app.ts'
import { startBackend, testedBackends } from '../../support/backends.ts'
import { buildSchool } from '../../support/builders.ts'
import { startTestWorkers } from '../../support/workers.ts'

interface SentSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  links?: { traceId: string }[]
  attributes: { key: string; value: Record<string, unknown> }[]
}

interface Sent {
  resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[]
}

const from = (digit: string, flags: string) => `00-${digit.repeat(32)}-${'b'.repeat(16)}-${flags}`
describe.each(testedBackends())('traces, with queues in %s', (kind) => {
  /** What the collector was sent by an API and a worker, which have stopped. */
  let sent: SentSpan[]
  beforeAll(async () => {
    const queues = await startBackend(kind)
    const bodies: Sent[] = []
    const collector = createServer(async (request, response) => {
      if (request.headers.authorization === 'Bearer collect') bodies.push((await json(request)) as Sent)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    }).listen(0, '127.0.0.1')
    await once(collector, 'listening')
    const api = await startTestApp({
      realTime: true,
      env: {
        ...queues.env,
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collect',
        TRUSTED_PROXIES: '127.0.0.1',
      },
    })
    const { token } = (await buildSchool(api)).owner
    const workers = await startTestWorkers(api, { queues: ['email'] })
    const body = { email: 'ana.unseen@bay.example', student: true }
    await api.call('POST', '/organizations/invite', { token, body, headers: { traceparent: from('a', '00') } })
    await api.call('GET', '/calendar/unseen-token.ics?from=unseen-query', { headers: { traceparent: 'nonsense' } })
    const proxied = { 'x-forwarded-for': '198.51.100.7' }
    await api.call('GET', '/locations', { token, headers: { ...proxied, traceparent: from('c', '01') } })
    await api.call('GET', '/resources', { token, headers: { ...proxied, traceparent: from('d', '00') } })
    await workers.settled()
    await workers.stop()
    await api.close()
    await queues.stop()
    collector.close()
    sent = bodies.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    )
  })

  const named = (name: string) => sent.filter((span) => span.name === name)

  test('go from a request through its transaction and the outbox to the job and its call', () => {
    const [request] = named('POST /organizations/invite')
    const trace = sent.filter(({ traceId }) => traceId === request?.traceId)
    const above = (span: SentSpan) => trace.find(({ spanId }) => spanId === span.parentSpanId)?.name
    expect(new Set(trace.map((span) => [span.name, above(span)].join(' < ')))).toEqual(
      new Set([
        'POST /organizations/invite < ',
        'transaction < POST /organizations/invite',
        'organizations.send-invitation < transaction',
        'mail < organizations.send-invitation',
        'transaction < organizations.send-invitation',
      ]),
    )
  })

  test('refer to the trace of a client, which decides nothing, and continue that of a trusted proxy', () => {
    expect(named('POST /organizations/invite').map(({ links }) => links?.[0]?.traceId)).toEqual(['a'.repeat(32)])
    expect(named('GET /locations').map(({ traceId }) => traceId)).toEqual(['c'.repeat(32)])
    expect(named('GET /resources')).toEqual([])
  })

  test('say templates, names and outcomes alone', () => {
    expect(named('GET /calendar/:token.ics').map(({ attributes }) => attributes.map(({ key }) => key))).toEqual([
      ['http.request.method', 'http.route', 'http.response.status_code'],
    ])
    expect(JSON.stringify(sent)).not.toMatch(/unseen|198\.51|select |insert /)
  })
})
