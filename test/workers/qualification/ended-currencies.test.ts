import { describe, expect } from 'vitest'
import { judgeSoFar } from '../../support/at-risk.ts'
import type { Member } from '../../support/builders.ts'
import { notifyingTest } from '../../support/fixtures.ts'
import { dualBody, expectOk } from '../../support/flights.ts'

const test = notifyingTest()

/** Words that stand in the reason and the note alone. */
const [NOTE, REASON] = ['Zebrastripe', 'surrendered']

describe('a medical that somebody ended (§Notifications)', () => {
  test('is told to the member and admins, and its reason and note stand nowhere else', async ({ env, school }) => {
    const { api, workers, push } = env
    const { owner, admin, student, instructor, dispatcher } = school
    const medical = { name: 'Third class', kind: 'medical', enforcement: 'block', appliesTo: 'everyone' }
    const { id } = await expectOk<{ id: number }>(api, admin, 'POST', '/currencies', medical)
    for (const who of [student, instructor]) {
      const url = `/orgUsers/${who.orgUserId}/currencies/${id}`
      await expectOk(api, owner, 'PUT', url, { class: 'third', examinedAt: '2026-06-01' })
    }
    await expectOk(api, dispatcher, 'POST', '/reservations', dualBody(school))
    await workers.run(async () => {})
    const ofStudent = `/orgUsers/${student.orgUserId}/currencies/${id}`
    await expectOk(api, admin, 'POST', `${ofStudent}/end`, { on: '2026-11-20', because: REASON, note: NOTE })
    await workers.run(async () => {})
    await judgeSoFar(api, school.organizationId)

    const notices = async (who: Member) => {
      const all = await expectOk<{ kind: string; title: string; body: string }[]>(api, who, 'GET', '/notifications')
      return all.filter(({ kind }) => kind === 'currency_ended').map(({ title, body }) => `${title}. ${body}`)
    }
    const told = `A currency of ${student.name} ended. Sign in to see which one.`
    expect(await notices(student)).toEqual([told])
    expect(await notices(owner)).toEqual([told])
    for (const who of [admin, instructor, dispatcher]) expect(await notices(who)).toEqual([])
    const mailed = workers
      .mails(student.email)
      .filter(({ subject }) => subject === `A currency of ${student.name} ended`)
    expect(mailed).toHaveLength(1)
    expect(JSON.stringify(mailed)).toContain('Third class')

    const { rows: tables } = await api.core.database.pool.query<{ name: string }>(
      `select table_name as name from information_schema.tables
        where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name <> 'currency_record'`,
    )
    for (const { name } of tables) {
      const found = `select count(*)::int as n from ${name} t where t::text ~ '${NOTE}|${REASON}'`
      expect([name, (await api.core.database.pool.query(found)).rows[0].n]).toEqual([name, 0])
    }
    expect(JSON.stringify([...mailed, push])).not.toMatch(/Zebrastripe|surrendered/)
    const lists = ['/reservations/atRisk', '/audit', '/reports/currencies', '/todo/me', ofStudent.replace(/\/\d+$/, '')]
    for (const url of lists) {
      const answer = await api.as(url === '/audit' ? owner : instructor).get(url)
      expect(answer.statusCode).toBe(200)
      expect(answer.body).not.toMatch(/Zebrastripe|surrendered/)
    }
    expect((await api.as(owner).get(ofStudent.replace(/\/\d+$/, ''))).body).toContain(NOTE)
    expect((await api.as(dispatcher).get('/reservations/atRisk')).body).toContain('(ended 2026-11-20)')
  })
})
