import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createJobMetrics } from '../../src/workers/job-metrics.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { alertQueries, dashboardQueries, metricsOf } from '../support/monitoring.ts'

let api: TestApp
let there: Set<string>
beforeAll(async () => {
  api = await startTestApp()
  const headers = { authorization: `Basic ${btoa('ops:ops-password')}` }
  const ofTheApi = (await api.call('GET', '/metrics', { headers })).body
  const ofAWorker = (await createJobMetrics(api.core).text()).body
  const types = [...`${ofTheApi}\n${ofAWorker}`.matchAll(/^# TYPE (\w+) (\w+)$/gm)]
  const parts = (type: string) => (type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
  // What Prometheus itself keeps of each target.
  there = new Set(['up', ...types.flatMap(([, name, type = '']) => parts(type).map((part) => name + part))])
})
afterAll(() => api.close())

describe('docs/monitoring', () => {
  test.each([
    ['the alert rules', alertQueries],
    ['the dashboard', dashboardQueries],
  ])('asks in %s for metrics that API or workers have', (_, queries) => {
    const asked = queries()
    expect(asked.length).toBeGreaterThan(5)
    for (const { name, expr } of asked) {
      const metrics = metricsOf(expr)
      expect(metrics, name).not.toEqual([])
      for (const metric of metrics) expect(there, `${name} asks for ${metric}`).toContain(metric)
    }
  })
})
