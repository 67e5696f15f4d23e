import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { hashPassword } from '../../src/shared/identity/accounts/hash-password.ts'
import { NOW } from '../support/app.ts'
import { buildMember, buildSchool, type School } from '../support/builders.ts'
import { apiTest } from '../support/fixtures.ts'
import { operationsOf, readDocument } from './support/document.ts'

/** What asks again, as the specification lists it, each with a request of the owner of a school and what asks nothing again. */
const asking: Record<string, (school: School) => { path?: Record<string, unknown>; body?: object; milder?: object }> = {
  'POST /exports': () => ({ body: {} }),
  'POST /exports/{id}/download': () => ({ path: { id: 1 }, body: {} }),
  'POST /users/export': () => ({ body: {} }),
  'POST /orgUsers/{id}/merge': ({ renter, student }) => ({
    path: { id: renter.orgUserId },
    body: { intoOrgUserId: student.orgUserId },
  }),
  'POST /orgUsers/{id}/erase': ({ renter }) => ({ path: { id: renter.orgUserId }, body: { reason: 'By letter' } }),
  'POST /orgUsers/{id}/billTo/accept': ({ renter }) => ({ path: { id: renter.orgUserId }, body: {} }),
  'POST /webhooks': () => ({ body: { url: 'https://hooks.example.com/a', events: ['squawk.opened'] } }),
  'PATCH /webhooks/{id}': () => ({
    path: { id: 1 },
    body: { url: 'https://hooks.example.com/b' },
    milder: { active: false },
  }),
  'POST /webhooks/{id}/rotate': () => ({ path: { id: 1 }, body: {} }),
  'POST /integrations/stripe/connect': () => ({ body: {} }),
  'GET /integrations/{provider}/authorize': () => ({ path: { provider: 'zoom' } }),
  'DELETE /integrations/{provider}': () => ({ path: { provider: 'zoom' }, body: {} }),
  'POST /reservations/{id}/correct': () => ({
    path: { id: 1 },
    body: { readings: { hobbsTimeOut: 1, hobbsTimeIn: 2 }, reason: 'Read wrong', refund: 'none' },
  }),
  'POST /grants': ({ dispatcher }) => ({ body: { orgUserId: dispatcher.orgUserId, grant: 'cashier' } }),
  'DELETE /grants/{id}': () => ({ path: { id: 1 } }),
  'PATCH /organizations': () => ({
    body: { about: 'taken over', settings: { currency: 'eur' } },
    milder: { about: 'a school', settings: { currency: 'usd' } },
  }),
  'PATCH /orgUsers/{id}': ({ owner }) => ({
    path: { id: owner.orgUserId },
    body: { autopay: true },
    milder: { autopay: false },
  }),
}

/** What goes on without, and is mailed to all owners: `api/identity/members/owners-hear.test.ts` sends them. */
const told = [
  'PATCH /users/{userId}/roles',
  'POST /organizations/invite',
  'POST /organizations/invitations/accept',
  'POST /organizations/joinRequests/{id}/approve',
  'DELETE /orgUsers/{id}',
  'DELETE /users',
  'DELETE /organizations',
]

const test = apiTest()

/** Returns the rows of the table of docs/security.md: an endpoint, whether it asks again, and what owners are mailed. */
async function readTable(): Promise<{ endpoint: string; asks: boolean; mailed: string }[]> {
  const page = await readFile(new URL('../../docs/security.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('## What asks again, and what owners hear of\n')
  return [...section.split('\n## ')[0]!.matchAll(/^\| `(.+?)` \| (.+?) \| (.*?) ?\|$/gm)].map(
    ([, endpoint = '', asks, mailed = '']) => ({ endpoint, asks: asks !== 'no', mailed }),
  )
}

test('the document, the table of the page on security and the specification list the same endpoints that ask again', async ({
  api,
}) => {
  const documented = operationsOf(await readDocument(api))
    .filter(({ responses }) => JSON.stringify(responses[403] ?? {}).includes('REAUTHENTICATE'))
    .map(({ name }) => name)
  const table = await readTable()
  const listed = table.filter(({ asks }) => asks).map(({ endpoint }) => endpoint)
  expect(listed).toEqual(Object.keys(asking))
  expect(documented.toSorted()).toEqual(listed.toSorted())
  const goesOn = table.filter(({ asks }) => !asks)
  expect(goesOn.map(({ endpoint }) => endpoint)).toEqual(told)
  expect(goesOn.filter(({ mailed }) => mailed === '')).toEqual([])
})

test.for(Object.keys(asking))('%s asks again after 15 minutes, and writes nothing', async (name, { api }) => {
  api.clock.now = NOW
  const school = await buildSchool(api)
  const { path = {}, body, milder } = asking[name]!(school)
  const [method, url = ''] = name.split(' ')
  const { token, accountId } = school.owner
  const change = { password_hash: await hashPassword('correct horse battery') }
  await api.core.database.db.updateTable('account').set(change).where('id', '=', accountId).execute()
  const send = (sent: object | undefined) =>
    api.call(
      method as 'POST',
      url.replace(/\{(\w+)\}/g, (_, key: string) => String(path[key])),
      { token, body: sent },
    )
  api.clock.now = new Date(NOW.getTime() + 15 * 60_000 + 1)
  expect((await send(body)).json().code).toBe('REAUTHENTICATE')
  const written = await api.core.database.pool.query('select 1 from event where organization_id = $1', [
    school.organizationId,
  ])
  expect(written.rows).toEqual([])
  if (body) expect((await send({ ...body, password: 'another' })).json().message).toBe('password: is not right')
  if (milder) expect((await send(milder)).json().code).not.toBe('REAUTHENTICATE')
  api.clock.now = NOW
  expect((await send(body)).json().code).not.toBe('REAUTHENTICATE')
})

test('only who may change the currency is asked', async ({ api }) => {
  api.clock.now = NOW
  const { organizationId } = await buildSchool(api)
  const { token } = await buildMember(api, organizationId, ['student'])
  api.clock.now = new Date(NOW.getTime() + 3_600_000)
  const response = await api.as({ token }).patch('/organizations', { settings: { currency: 'eur' } })
  expect([response.statusCode, response.json().code]).toEqual([403, undefined])
})
