import { describe, expect } from 'vitest'
import { buildSchool, type Member } from '../../support/builders.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { buildBill, buildFlight } from '../../support/reports.ts'

interface View {
  id: number
  name: string
  parameters: Record<string, string>
  shared: boolean
  author: { orgUserId: number }
}

const lines = [{ kind: 'aircraft', amountCents: 20_000 }]
const at = (text: string) => new Date(`2026-${text}T12:00:00Z`)

const test = schoolTest()

  .extend(
    'save',
    ({ api }) =>
      (who: Member, body: object) =>
        expectOk<View>(api, who, 'POST', '/reports/views', { name: 'Mine', ...body }),
  )

  .extend(
    'call',
    ({ api }) =>
      (who: Member, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
        api.call(method, `/reports/views${path}`, { token: who.token, body }),
  )

describe('saved views (§Reports)', () => {
  test('a view stores the parameters that its report takes', async ({ save, school }) => {
    const parameters = { period: 'last_month', groupBy: 'week', startDate: '2026-11-01', colour: 'red', theme: 'dark' }
    const { author, ...view } = await save(school.admin, { report: 'utilization', parameters })
    expect(view).toMatchObject({ name: 'Mine', report: 'utilization', shared: false })
    expect(view.parameters).toEqual({ period: 'last_month', startDate: '2026-11-01', theme: 'dark' })
    expect(author).toEqual({ orgUserId: school.admin.orgUserId, name: school.admin.name })
  })

  test.for([
    [{ report: 'taxes' }, /^report: must be one of utilization, /],
    [{ report: 'revenue', parameters: { period: 'last_year' } }, /^parameters\.period: must be one of last_month, /],
    [
      { report: 'revenue', parameters: { startDate: 'soon' } },
      /^parameters\.startDate: must be a day, YYYY-MM-DD, or a date and time$/,
    ],
    [{ report: 'students', parameters: { format: 'svg' } }, /^parameters\.format: must be one of json, csv$/],
  ] as const)('a saved view with %j is refused', async ([body, message], { call, school }) => {
    const response = await call(school.admin, 'POST', '', { name: 'Mine', ...body })
    expect([response.statusCode, response.json().message]).toEqual([400, expect.stringMatching(message)])
  })

  test('others see a view only when it is shared, and change it only as admins', async ({
    school,
    save,
    api,
    call,
  }) => {
    const { admin, owner, instructor, dispatcher } = school
    const own = await save(instructor, { report: 'students' })
    const shared = await save(instructor, { name: 'Ours', report: 'utilization', shared: true })
    const other = await buildSchool(api)
    const listed = async (who: Member) => (await call(who, 'GET', '')).json().data.map((view: View) => view.name)
    expect([await listed(instructor), await listed(dispatcher), await listed(other.admin)]).toEqual([
      ['Mine', 'Ours'],
      ['Ours'],
      [],
    ])
    const codes = async (view: View, who: Member) => [
      (await call(who, 'GET', `/${view.id}/run`)).statusCode,
      (await call(who, 'PATCH', `/${view.id}`, { name: 'Theirs' })).statusCode,
      (await call(who, 'DELETE', `/${view.id}`)).statusCode,
    ]
    for (const who of [admin, dispatcher, other.admin]) expect(await codes(own, who)).toEqual([404, 404, 404])
    expect(await codes(shared, other.admin)).toEqual([404, 404, 404])
    expect(await codes(shared, dispatcher)).toEqual([200, 403, 403])
    expect(await codes(shared, owner)).toEqual([200, 200, 204])
    expect(await codes(own, instructor)).toEqual([200, 200, 204])
  })

  test('a run takes the stored parameters, and those of the request before them', async ({
    school,
    api,
    save,
    call,
  }) => {
    const { admin, student } = school
    await buildBill(api, school, { payer: student, lines, paidAt: at('10-15') })
    await buildBill(api, school, { payer: student, lines, paidAt: at('11-16') })
    const { id } = await save(admin, { report: 'revenue', parameters: { period: 'last_month', groupBy: 'month' } })
    const periods = async (query = '') =>
      (await expectOk<{ period: string }[]>(api, admin, 'GET', `/reports/views/${id}/run${query}`)).map(
        (row) => row.period,
      )
    expect(await periods()).toEqual(['2026-10-01'])
    expect(await periods('?period=this_month')).toEqual(['2026-11-01'])
    expect(await periods('?period=last_90_days&groupBy=week')).toEqual(['2026-10-12', '2026-11-16'])
    expect(await periods('?startDate=2026-11-10')).toEqual(['2026-11-01'])
    const file = await call(admin, 'GET', `/${id}/run?format=csv`)
    expect(file.body).toBe('\uFEFFperiod,groupBy,kind,revenueCents\r\n2026-10-01,month,aircraft,20000\r\n')
    expect((await call(admin, 'GET', `/${id}/run?format=svg`)).headers['content-type']).toMatch(/^image\/svg/)
    expect((await call(admin, 'GET', `/${id}/run?startDate=2026-12-10`)).statusCode).toBe(400)
  })

  test('a shared view shows each reader what they may see', async ({ school, api, save }) => {
    const { admin, instructor, student } = school
    const flight = await buildFlight(api, school, { endedAt: at('11-16'), hobbs: 140 })
    await buildBill(api, school, { payer: student, flight, lines, paidAt: at('11-16') })
    const { id } = await save(admin, { report: 'utilization', shared: true, parameters: { period: 'this_month' } })
    const earned = async (who: Member) =>
      (await expectOk<{ revenueCents: number }[]>(api, who, 'GET', `/reports/views/${id}/run`)).map(
        (row) => row.revenueCents,
      )
    expect([await earned(admin), await earned(instructor)]).toEqual([[20_000], [null]])
  })

  test('a change of the report drops the parameters that it does not take', async ({ save, school, call }) => {
    const parameters = { period: 'last_month', groupBy: 'week' }
    const { id } = await save(school.admin, { report: 'revenue', parameters })
    const changed = await call(school.admin, 'PATCH', `/${id}`, { report: 'students' })
    expect(changed.json().data).toMatchObject({ report: 'students', parameters: { period: 'last_month' } })
  })

  test('a member saves at most 100 views, however many are sent at once', async ({ school, api, call }) => {
    const { organizationId: organization_id, admin } = school
    const views = Array.from({ length: 99 }, (_, index) => ({
      organization_id,
      membership_id: admin.orgUserId,
      name: `View ${index}`,
      report: 'students' as const,
      parameters: {},
    }))
    await api.core.database.db.insertInto('report_view').values(views).execute()
    const more = { name: 'One more', report: 'students' }
    const answers = await Promise.all([1, 2, 3].map(() => call(admin, 'POST', '', more)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409])
    const codes = answers.flatMap((answer) => answer.json().code ?? [])
    expect(codes).toEqual(['TOO_MANY_VIEWS', 'TOO_MANY_VIEWS'])
    expect((await call(admin, 'GET', '')).headers['x-total-count']).toBe('100')
  })
})
