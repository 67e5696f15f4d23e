import { describe, expect } from 'vitest'
import { judgeSoFar } from '../../../support/at-risk.ts'
import { bookingBody, seats } from '../../../support/booking.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'

interface Named {
  id: number
  endorsedAs: string[]
}

const test = schoolTest()
  .extend('add', ({ api, school }) => (model: string, plane: object = {}, more: object = {}) => {
    const body = {
      name: `N-${model}`,
      location: { id: school.location.id },
      make: 'Cessna',
      model,
      type: { plane },
      ...more,
    }
    return expectOk<Named>(api, school.admin, 'POST', '/resources', body)
  })
  .extend(
    'read',
    ({ api, school }) =>
      (id: number) =>
        expectOk<Named>(api, school.student, 'GET', `/resources/${id}`),
  )
  .extend(
    'change',
    ({ api, school }) =>
      (id: number, endorsedAs: unknown) =>
        api.as(school.admin).patch(`/resources/${id}`, { type: { plane: {} }, endorsedAs }),
  )

describe('what names the make and model of an aircraft (§Resource)', () => {
  test('is make and model, and the short names, unless the school gives others', async ({ add, read, change }) => {
    const byDefault = ['Cessna 172S Skyhawk', '172S Skyhawk', 'Cessna 172', '172', 'C172']
    const { id, endorsedAs } = await add('172S Skyhawk')
    expect(endorsedAs).toEqual(byDefault)
    expect((await change(id, ['Skyhawk', 'SKY-HAWK', '172S'])).json().data.endorsedAs).toEqual(['Skyhawk', '172S'])
    expect((await read(id)).endorsedAs).toEqual(['Skyhawk', '172S'])
    expect((await change(id, null)).json().data.endorsedAs).toEqual(['Skyhawk', '172S'])
    expect((await change(id, [])).json().data.endorsedAs).toEqual(byDefault)
  })

  test('is no short name that a complex aircraft of the school shares', async ({ api, school, add, read }) => {
    const { id } = await add('172S')
    const cutlass = await add('172RG', { complex: true })
    expect(cutlass.endorsedAs).toEqual(['Cessna 172RG', '172RG'])
    expect((await read(id)).endorsedAs).toEqual(['Cessna 172S', '172S'])
    await expectOk(api, school.admin, 'PATCH', `/resources/${cutlass.id}`, { type: { plane: {} }, model: '182RG' })
    expect((await read(id)).endorsedAs).toContain('172')
  })

  test('is no short name of a multiengine airplane, in words or as a code', async ({ add }) => {
    for (const named of ['multi_engine_land', 'Multiengine Land', 'AMEL', 'ames']) {
      expect((await add('PA-44-180', { class: named })).endorsedAs, named).toEqual(['Cessna PA-44-180', 'PA-44-180'])
    }
  })

  test.for([
    ['a name without a letter or a digit', ['–']],
    ['more than 20 names', Array.from({ length: 21 }, (_, n) => `172 ${n}`)],
    ['text', '172'],
  ] as const)('is not %s', async ([, names], { add, read, change }) => {
    const { id, endorsedAs } = await add('172S')
    expect((await change(id, names)).statusCode).toBe(400)
    expect((await read(id)).endorsedAs).toEqual(endorsedAs)
  })

  test('is in the audit log when the school changes it, before and after', async ({ api, school, add, change }) => {
    const { id } = await add('172S', {}, { endorsedAs: ['Skyhawk'] })
    await change(id, ['Skyhawk'])
    await change(id, ['C172'])
    const rows = await expectOk<{ kind: string; before: object; after: object }[]>(
      api,
      school.admin,
      'GET',
      '/audit?action=resource.endorsed_as_changed',
    )
    const told = rows.map(({ before, after }) => [before, after])
    expect(told).toHaveLength(2)
    expect(told).toContainEqual([{ endorsedAs: [] }, { endorsedAs: ['Skyhawk'] }])
    expect(told).toContainEqual([{ endorsedAs: ['Skyhawk'] }, { endorsedAs: ['C172'] }])
  })
})

describe('a solo flight in an aircraft that has other names now', () => {
  test('is at risk when its endorsements no longer name it', async ({ api, school, add, change }) => {
    await expectOk(api, school.admin, 'PATCH', '/rules/endorsement', { enforcement: 'block' })
    const { id } = await add('172S')
    for (const templateCode of ['A.3', 'A.4', 'A.6']) {
      await expectOk(api, school.instructor, 'POST', '/training/endorsements', {
        orgUserId: school.student.orgUserId,
        templateCode,
        renderedText: 'May fly solo.',
        signerCertificateNumber: '31CFI',
        parameters: { makeAndModel: 'cessna-172' },
      })
    }
    const solo = bookingBody(school, 'solo', { personnel: seats({ students: [school.student] }), resource: { id } })
    const { id: booking } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', solo)
    const atRisk = async () => {
      await judgeSoFar(api, school.organizationId)
      const window = 'startDate=2026-11-01T00:00:00Z&endDate=2027-01-01T00:00:00Z'
      const rows = await expectOk<{ id: number }[]>(api, school.dispatcher, 'GET', `/reservations/atRisk?${window}`)
      return rows.map((row) => row.id)
    }
    expect(await atRisk()).toEqual([])
    await change(id, ['172S'])
    expect(await atRisk()).toEqual([booking])
    await change(id, [])
    expect(await atRisk()).toEqual([])
    const cutlass = await add('172RG', { complex: true })
    expect(await atRisk()).toEqual([booking])
    expect((await api.as(school.admin).delete(`/resources/${cutlass.id}`)).statusCode).toBe(204)
    expect(await atRisk()).toEqual([])
  })
})
