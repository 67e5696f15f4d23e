import { describe, expect } from 'vitest'
import { buildSchool } from '../support/builders.ts'
import { apiTest } from '../support/fixtures.ts'

interface Documented {
  requestBody?: { required: boolean }
}

/** What clients say of an empty body: nothing, their own default, or what they always say. */
const types = [
  undefined,
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'json',
]

/** Their body is a signed form, and signed bytes. */
const signed = new Set(['POST /uploads', 'POST /webhooks/stripe'])

const test = apiTest().extend('operations', async ({ api }) => {
  const { paths } = (await api.call('GET', '/openapi.json')).json() as {
    paths: Record<string, Record<string, Documented>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .map(([method, operation]) => ({ method: method.toUpperCase() as 'POST', path, ...operation }))
      .filter(({ method }) => method !== ('GET' as string) && !signed.has(`${method} ${path}`)),
  )
})

describe('an empty body', () => {
  test('is never of a wrong type, and counts as {} wherever no field is required', async ({ api, operations }) => {
    const wrong: string[] = []
    let optional = 0
    let { owner } = await buildSchool(api)
    for (const { method, path, requestBody } of operations) {
      const url = path.replace('{provider}', 'zoom').replace(/\{\w+\}/g, '999999')
      const send = (headers: Record<string, string>, payload?: string) =>
        api.app.inject({
          method,
          url,
          headers: { authorization: `Bearer ${owner.token}`, ...headers },
          ...(payload !== undefined && { payload }),
        })
      const lacking = `${method} ${path}`
      if (requestBody && !requestBody.required) optional += 1
      const ask = async (type: string | undefined) => {
        const headers = { 'content-length': '0', ...(type && { 'content-type': type }) }
        let { statusCode, body } = await send(headers)
        if (statusCode === 401) {
          // The operation before ended the session.
          owner = (await buildSchool(api)).owner
          ;({ statusCode, body } = await send(headers))
        }
        const refused = statusCode === 400 && body.includes('body: ')
        if (statusCode === 415 || refused !== (requestBody?.required ?? false)) {
          wrong.push(`${lacking} ${type}: ${statusCode} ${body.slice(0, 80)}`)
        }
      }
      await Promise.all(types.map(ask))
      if (!requestBody) continue
      const empty = await send({ 'content-type': 'application/json' }, '{}')
      const fits = !(empty.statusCode === 400 && empty.json().details?.problems)
      if (fits === requestBody.required) wrong.push(`${lacking}: {} is ${empty.statusCode} ${empty.body.slice(0, 80)}`)
    }
    expect(wrong).toEqual([])
    expect(operations.length).toBeGreaterThan(150)
    expect(optional).toBeGreaterThan(30)
  })
})
