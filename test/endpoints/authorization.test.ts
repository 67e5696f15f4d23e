import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deskGrantHolders, deskGrants } from '../../src/shared/platform/authz/desk-grants.rules.ts'
import { type Role, roles } from '../../src/shared/platform/authz/roles.ts'
import { type GrantKind, grantKinds } from '../../src/shared/training/grants/grants.rules.ts'
import { matrix } from '../contract/authorization-matrix.ts'
import { nameOf, type Rights } from '../contract/matrix/rights.ts'
import { changedBetween, stateOf } from '../contract/support/database-state.ts'
import { operationsOf, readDocument } from '../contract/support/document.ts'
import type { Records } from '../contract/support/records.ts'
import { startOnRecords } from '../contract/support/records-database.ts'
import { inOrder, methodOf, send, urlOf } from '../contract/support/walk.ts'
import type { TestApp } from '../support/app.ts'
import { buildAccount, buildMember, buildSchool } from '../support/builders.ts'
import { expectOk } from '../support/flights.ts'

let api: TestApp
let records: Records
beforeAll(async () => {
  ;({ api, records } = await startOnRecords())
})
afterAll(() => api.close())

/** Runs work that writes, on records and with an API of its own. */
async function onCopy<T>(work: (copy: TestApp) => Promise<T>): Promise<T> {
  const { api: copy } = await startOnRecords()
  try {
    return await work(copy)
  } finally {
    await copy.close()
  }
}

const rows = inOrder(matrix)
const closed = rows.filter(({ who }) => who !== 'anyone')
const organizational = rows.filter(({ who }) => typeof who !== 'string')

test('the matrix has every endpoint of the interface, and no other', async () => {
  const operations = operationsOf(await readDocument(api)).map(({ name }) => name)
  const listed = new Set<string>(matrix.map(({ endpoint }) => endpoint))
  expect({
    missing: operations.filter((name) => !listed.has(name)),
    unknown: [...listed].filter((endpoint) => !operations.includes(endpoint)),
  }).toEqual({ missing: [], unknown: [] })
})

test('two rows of one endpoint say how they differ', () => {
  const names = matrix.map(nameOf)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

describe('who is not signed in', () => {
  test.each([
    ['without a token', undefined],
    ['with a token that is none', 'not.a.token'],
  ])('meets 401 everywhere that needs a token, %s', async (_, token) => {
    expect(await walk(closed, token, () => 401)).toEqual([])
  })

  test('meets 401 where only the headers are asked for', async () => {
    for (const row of closed.filter((closedRow) => methodOf(closedRow) === 'GET')) {
      const { statusCode } = await api.app.inject({ method: 'HEAD', url: urlOf(row, records) })
      expect(statusCode, nameOf(row)).toBe(401)
    }
  })

  test('is not asked for a token where none is needed', async () => {
    const open = rows.filter(({ who }) => who === 'anyone')
    expect(await walk(open, undefined, (row, status) => row.stranger ?? notRefused(row, status))).toEqual([])
  })
})

describe('who is signed in without an organization', () => {
  test('meets 403 wherever one is needed, and is told to create or join one', async () => {
    const { token } = await buildAccount(api)
    const other: string[] = []
    // One after the other: a process refuses what it cannot work on at once.
    for (const row of organizational) {
      const { statusCode, body } = await send(api, row, records, token)
      if (statusCode !== 403 || !/create or join/.test(JSON.parse(body).message)) {
        other.push(`${nameOf(row)}: ${statusCode} ${body}`)
      }
    }
    expect(other).toEqual([])
  })

  test('may use what concerns the account alone', async () => {
    const { token } = await buildAccount(api)
    const own = rows.filter(({ who, spends }) => who === 'account' && !spends)
    expect(await walk(own, token, notRefused)).toEqual([])
  })
})

describe('whose address is not verified', () => {
  test('meets EMAIL_NOT_VERIFIED exactly where other people are reached', async () => {
    const { organizationId } = records.school
    const member = await buildMember(api, organizationId, ['owner', 'admin'])
    await api.core.database.db
      .updateTable('account')
      .set({ email_verified_at: null })
      .where('id', '=', member.accountId)
      .execute()
    const surprises: string[] = []
    for (const row of closed.filter(({ spends }) => !spends)) {
      const changes = row.verified ? {} : { at: missingAt(row), body: {} }
      const response = await send(api, row, records, member.token, changes)
      const closedToThem = response.body.startsWith('{') && response.json().code === 'EMAIL_NOT_VERIFIED'
      if (closedToThem !== (row.verified === true)) surprises.push(`${nameOf(row)}: ${response.statusCode}`)
    }
    expect(surprises).toEqual([])
  })
})

describe('who is no longer a member', () => {
  test('meets 401 everywhere, as an account that is gone does', async () => {
    const { db } = api.core.database
    const left = await buildMember(api, records.organization, ['owner', 'admin'])
    await db.updateTable('membership').set({ removed_at: api.clock.now }).where('id', '=', left.orgUserId).execute()
    expect(await walk(closed, left.token, () => 401)).toEqual([])
    const gone = await buildMember(api, records.organization, ['owner', 'admin'])
    await db.updateTable('account').set({ deleted_at: api.clock.now }).where('id', '=', gone.accountId).execute()
    expect(await walk(closed, gone.token, () => 401)).toEqual([])
  })
})

describe.sequential('a member', () => {
  test.each(roles)('who is %s is refused what the matrix does not give them, and nothing is written', async (role) => {
    const refused = organizational.filter((row) => refusalOf(row, role) !== undefined)
    const before = await stateOf(api.core.database.pool)
    expect(await walk(refused, records.school[role].token, (row) => refusalOf(row, role) ?? 403)).toEqual([])
    expect(changedBetween(before, await stateOf(api.core.database.pool))).toEqual([])
  })

  test.each(roles)('who is %s reads what the matrix gives them', async (role) => {
    const given = closed.filter((row) => methodOf(row) === 'GET' && !row.spends && refusalOf(row, role) === undefined)
    expect(await walk(given, records.school[role].token, (_, status) => (status < 400 ? status : 200))).toEqual([])
  })

  test.each(roles)('who is %s is let in wherever the matrix says so', async (role) => {
    const given = closed.filter((row) => methodOf(row) !== 'GET' && !row.spends && refusalOf(row, role) === undefined)
    const { token } = records.school[role]
    expect(await onCopy((copy) => walk(given, token, notRefused, copy))).toEqual([])
  })

  test.each(grantKinds)('who holds the grant %s is let in where it opens, and nowhere else', async (grant) => {
    const { renter } = records.school
    const opened = (row: Rights) => row.grants?.includes(grant) === true
    const expected = (row: Rights, status: number) =>
      opened(row) ? notRefused(row, status) : (refusalOf(row, 'renter') ?? notRefused(row, status))
    const walked = closed.filter(({ spends }) => !spends)
    const surprises = await onCopy(async (copy) => {
      await give(copy, renter.orgUserId, grant)
      return walk(walked, renter.token, expected, copy)
    })
    expect(surprises).toEqual([])
  })

  test.each(deskGrants.flatMap((grant) => deskGrantHolders.map((role) => [grant, role] as const)))(
    'with the desk grant %s, who is %s, is let in where it opens, and nowhere else, until the role ends',
    async (grant, role) => {
      const holder = records.school[role]
      const opened = (row: Rights) => row.desk?.includes(grant) === true
      const expected = (row: Rights, status: number) =>
        opened(row)
          ? (row.deskBut?.[role] ?? notRefused(row, status))
          : (refusalOf(row, role) ?? notRefused(row, status))
      const walked = closed.filter(({ spends }) => !spends)
      const surprises = await onCopy(async (copy) => {
        const { admin } = records.school
        await expectOk(copy, admin, 'POST', '/grants', { orgUserId: holder.orgUserId, grant })
        return walk(walked, holder.token, expected, copy)
      })
      expect(surprises).toEqual([])
      const kept = await onCopy(async (copy) => {
        const { admin } = records.school
        await expectOk(copy, admin, 'POST', '/grants', { orgUserId: holder.orgUserId, grant })
        const student = { [role]: false, student: true }
        await expectOk(copy, admin, 'PATCH', `/orgUsers/${holder.orgUserId}`, student)
        return walk(walked.filter(opened), holder.token, (row) => refusalOf(row, 'renter') ?? 403, copy)
      })
      expect(kept).toEqual([])
    },
  )

  test.each(roles)('who is %s may end what is theirs to end, and no more', async (role) => {
    for (const row of closed.filter(({ spends }) => spends)) {
      const school = await buildSchool(api)
      const expected = refusalOf(row, role)
      const response = await send(api, row, records, school[role].token)
      const fits = expected === undefined ? ![401, 403].includes(response.statusCode) : response.statusCode === expected
      expect(fits, `${nameOf(row)}: ${response.statusCode}`).toBe(true)
    }
  })
})

async function give(to: TestApp, orgUserId: number, grant: GrantKind): Promise<void> {
  const body = { orgUserId, grant, ...(grant === 'checkInstructor' && { courseId: records.course }) }
  await expectOk(to, records.school.admin, 'POST', '/training/grants', body)
}

/** What a role meets at an endpoint that is not for them; undefined where it is. */
function refusalOf({ who, but }: Rights, role: Role): number | undefined {
  if (typeof who === 'string' || who.includes(role)) return but?.[role]
  return 403
}

/** Calls the rows one after another and returns the unexpected answers. */
async function walk(
  some: Rights[],
  token: string | undefined,
  expected: (row: Rights, status: number) => number,
  to = api,
): Promise<string[]> {
  const surprises: string[] = []
  for (const row of some) {
    const { statusCode, body } = await send(to, row, records, token)
    const wanted = expected(row, statusCode)
    if (statusCode !== wanted) surprises.push(`${nameOf(row)}: ${statusCode}, not ${wanted}: ${body.slice(0, 200)}`)
  }
  return surprises
}

/** Any answer but 401 and 403, and no failure of ours. */
function notRefused(_: Rights, status: number): number {
  return status === 401 || status === 403 || status >= 500 ? 200 : status
}

function missingAt({ at = [] }: Rights) {
  return at.map((value) => (typeof value === 'string' ? records.missing : undefined))
}
