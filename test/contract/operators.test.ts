import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Method, startTestApp, type TestApp } from '../support/app.ts'
import { buildMember, buildSchool } from '../support/builders.ts'
import { routeTable } from './support/route-table.ts'

let api: TestApp
beforeAll(async () => {
  api = await startTestApp()
})
afterAll(() => api.close())

const right = `Basic ${btoa('ops:ops-password')}`

/** The pages of operators, with something in place of every parameter. */
function pagesOf({ app }: TestApp): { method: Method; url: string }[] {
  return routeTable(app)
    .map((route) => route.replaceAll('{}', 'x').replace('*', 'static/x').split(' '))
    .filter(([, url = '']) => url.startsWith('/metrics') || url.startsWith('/ops/queues'))
    .map(([method, url]) => ({ method: method as Method, url: url ?? '' }))
}

async function statuses(of: TestApp, headers: Record<string, string>): Promise<number[]> {
  const pages = pagesOf(of)
  expect(pages.length).toBeGreaterThan(20)
  const answers = await Promise.all(pages.map(({ method, url }) => of.call(method, url, { headers })))
  return [...new Set(answers.map(({ statusCode }) => statusCode))]
}

describe('the dashboard of the queues and the metrics', () => {
  test.each([
    ['nobody', {}],
    ['a wrong password', { authorization: `Basic ${btoa('ops:ops')}` }],
    ['a wrong user', { authorization: `Basic ${btoa('admin:ops-password')}` }],
    ['no password at all', { authorization: `Basic ${btoa('ops')}` }],
    ['something else than Basic', { authorization: 'Digest username=ops' }],
  ])('are closed to %s', async (_, headers) => {
    expect(await statuses(api, headers)).toEqual([401])
  })

  test('are closed to the owner of an organization: they show those of others', async () => {
    const { organizationId } = await buildSchool(api)
    const { token } = await buildMember(api, organizationId, ['owner', 'admin'])
    expect(await statuses(api, { authorization: `Bearer ${token}` })).toEqual([401])
  })

  test('are open to operators', async () => {
    for (const url of ['/metrics', '/ops/queues', '/ops/queues/api/queues']) {
      const response = await api.call('GET', url, { headers: { authorization: right } })
      expect(response.statusCode, url).toBe(200)
    }
  })

  test('are not there at all where no credentials are set', async () => {
    const closed = await startTestApp({ env: { OPS_USER: '', OPS_PASSWORD: '' } })
    expect(await statuses(closed, { authorization: right })).toEqual([404])
    await closed.close()
  })
})
