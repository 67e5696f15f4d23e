import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { describe, expect } from 'vitest'
import { createReadPlaces } from '../../src/api/http/read-places.ts'
import { replicaMetrics } from '../../src/api/service/state-metrics.ts'
import { readKeySet } from '../../src/shared/composition/key-sets.ts'
import { openDatabase } from '../../src/shared/composition/tables.ts'
import { openReplicas } from '../../src/shared/platform/db/replicas.ts'
import { createJobMetrics } from '../../src/workers/job-metrics.ts'
import { apiTest } from '../support/fixtures.ts'
import { alertPages, alertQueries, dashboardQueries, metricsOf, monitoringFolder } from '../support/monitoring.ts'

const test = apiTest().extend('there', { scope: 'file' }, async ({ api }, { onCleanup }) => {
  const headers = { authorization: `Basic ${btoa('ops:ops-password')}` }
  const ofTheApi = (await api.call('GET', '/metrics', { headers })).body
  const ofAWorker = (await createJobMetrics(api.core).text()).body
  const ofReplicas = new Registry()
  const replicas = await openReplicas(api.core.database.pool, {
    urls: [],
    mostLagMs: 1_000,
    open: (url) => openDatabase({ url, poolSize: 1, replica: true }),
    onError: () => undefined,
  })
  onCleanup(() => replicas.close())
  const keySet = readKeySet(api.config, 'AUTH_KEYS')
  replicaMetrics(ofReplicas, { readPlaces: createReadPlaces(replicas, { redis: undefined, keySet }) })
  const all = [ofTheApi, ofAWorker, await ofReplicas.metrics()].join('\n')
  const types = [...all.matchAll(/^# TYPE (\w+) (\w+)$/gm)]
  const parts = (type: string) => (type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
  const there = new Set(['up', ...types.flatMap(([, name, type = '']) => parts(type).map((part) => name + part))])

  return there
})

describe('docs/monitoring', () => {
  test('names a section of docs/operations.md for each alert', () => {
    const page = readFileSync(join(monitoringFolder, '../operations.md'), 'utf8')
    const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
      text
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    )
    for (const [alert, named] of alertPages()) {
      expect(named, alert).toMatch(/^docs\/operations\.md#./)
      expect(headings, alert).toContain(named!.split('#')[1])
    }
  })

  test.for([
    ['the alert rules', alertQueries],
    ['the dashboard', dashboardQueries],
  ] as const)('asks in %s for metrics that API or workers have', ([_, queries], { there }) => {
    const asked = queries()
    expect(asked.length).toBeGreaterThan(5)
    for (const { name, expr } of asked) {
      const metrics = metricsOf(expr)
      expect(metrics, name).not.toEqual([])
      for (const metric of metrics) expect(there, `${name} asks for ${metric}`).toContain(metric)
    }
  })
})
