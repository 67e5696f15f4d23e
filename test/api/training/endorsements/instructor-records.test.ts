import { describe, expect } from 'vitest'
import { buildMember } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'

const test = sharedSchoolTest()

describe('the records of an instructor (14 CFR 61.189)', () => {
  test('the records of an instructor have what they signed for solo and tests, for them, admins and auditors (61.189)', async ({
    api,
    school,
  }) => {
    const { instructor, student, admin } = school
    const items = ['A.6', 'A.36', 'A.14'].map((templateCode) => ({ templateCode, renderedText: 'Checked.' }))
    await expectOk(api, instructor, 'POST', '/training/endorsements/batch', {
      orgUserId: student.orgUserId,
      signerCertificateNumber: '3141592CFI',
      items,
      parameters: { makeAndModel: 'Cessna 172S' },
    })
    const url = `/training/instructors/${instructor.orgUserId}/records`
    const rows = await expectOk<object[]>(api, instructor, 'GET', url)
    expect(rows).toMatchObject([
      { code: 'A.6', kind: 'solo', edition: 'AC 61-65K', makeAndModel: 'Cessna 172S', student: { name: student.name } },
      { code: 'A.36', kind: 'knowledge_test', testAt: null, result: null },
    ])
    expect(await expectOk<object[]>(api, admin, 'GET', `${url}?endDate=2020-01-01`)).toEqual([])
    const csv = await api.as(admin).get(`${url}?format=csv`)
    expect(csv.body.split('\r\n')[1]).toContain(`${student.name},solo,A.6`)
    const pdf = await api.as(admin).get(`${url}?format=pdf`)
    expect([pdf.headers['content-type'], pdf.body.slice(0, 5)]).toEqual(['application/pdf', '%PDF-'])
    const other = await buildMember(api, school.organizationId, ['instructor'])
    for (const who of [other, student, school.dispatcher]) expect((await api.as(who).get(url)).statusCode).toBe(403)
  })
})
