import { describe, expect } from 'vitest'
import { sharedSchoolTest } from '../../support/fixtures.ts'

const test = sharedSchoolTest().extend('read', ({ api, school }) => async (url: string, accept?: string) => {
  const headers: Record<string, string> = accept === undefined ? {} : { accept }
  const { statusCode, headers: answered, body } = await api.call('GET', url, { token: school.admin.token, headers })
  return { status: statusCode, media: String(answered['content-type']).split(';')[0], body }
})

describe('a table or a document', () => {
  test.for<[url: string, accept: string | undefined, media: string]>([
    ['/reports/currencies', undefined, 'application/json'],
    ['/reports/currencies', '*/*', 'application/json'],
    ['/reports/currencies', 'text/csv', 'text/csv'],
    ['/reports/currencies?format=csv', undefined, 'text/csv'],
    ['/reports/receivables', 'text/csv', 'text/csv'],
    ['/reports/instructorPay', 'text/csv', 'text/csv'],
    ['/reports/utilization', 'image/svg+xml', 'image/svg+xml'],
    ['/orgUsers/me/logbook', 'text/csv', 'text/csv'],
    ['/orgUsers/me/statement', 'application/pdf', 'application/pdf'],
    ['/training/instructors/me/records', 'application/pdf', 'application/pdf'],
    ['/training/instructors/me/records', 'text/csv', 'text/csv'],
    ['/imports/templates/members', 'text/csv', 'text/csv'],
    ['/imports/templates/members?format=csv', undefined, 'text/csv'],
  ])('at %s with Accept %s is %s', async ([url, accept, media], { school, read }) => {
    const answer = await read(url.replace('/me/', `/${school.admin.orgUserId}/`), accept)
    expect(answer).toMatchObject({ status: 200, media })
  })

  test.for<[url: string, accept: string]>([
    ['/reports/currencies', 'image/png'],
    ['/reports/currencies?format=csv', 'application/json'],
    ['/reports/currencies?format=json', 'text/csv'],
    ['/imports/templates/members', 'application/json'],
  ])('at %s with Accept %s is 406, and says what there is', async ([url, accept], { read }) => {
    const answer = await read(url, accept)
    expect(answer).toMatchObject({ status: 406, media: 'application/json' })
    expect(JSON.parse(answer.body).message).toMatch(/^Accept names none of the types.*text\/csv/)
  })

  test.for(['xml', 'pdf', ''])('in the unknown format “%s” is 400', async (format, { read }) => {
    const answer = await read(`/reports/currencies?format=${format}`, '*/*')
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.body).message).toMatch(/^format: /)
  })
})

describe('an answer with one form', () => {
  test('ignores Accept', async ({ read }) => {
    expect(await read('/locations', 'text/csv')).toMatchObject({ status: 200, media: 'application/json' })
  })
})
