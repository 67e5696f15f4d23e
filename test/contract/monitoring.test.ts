import { describe, expect } from 'vitest'
import { createJobMetrics } from '../../src/workers/job-metrics.ts'
import { apiTest } from '../support/fixtures.ts'
import { alertQueries, dashboardQueries, metricsOf } from '../support/monitoring.ts'

const test = apiTest().extend('there', { scope: 'file' }, async ({ api }) => {
  const headers = { authorization: `Basic ${btoa('ops:ops-password')}` }
  const ofTheApi = (await api.call('GET', '/metrics', { headers })).body
  const ofAWorker = (await createJobMetrics(api.core).text()).body
  const types = [...`${ofTheApi}\n${ofAWorker}`.matchAll(/^# TYPE (\w+) (\w+)$/gm)]
  const parts = (type: string) => (type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
  const there = new Set(['up', ...types.flatMap(([, name, type = '']) => parts(type).map((part) => name + part))])

  return there
})

describe('docs/monitoring', () => {
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
