import { describe, expect } from 'vitest'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { buildTraining, enrol, grade } from '../../../support/training.ts'

const test = sharedSchoolTest()
  .extend('course', ({ api, school }) => buildTraining(api, school))
  .extend(
    'sign',
    ({ api, school }) =>
      (recordIds: number[]) =>
        api.as(school.instructor).post('/training/records/sign', { recordIds, signerCertificateNumber: '3141592CFI' }),
  )

describe('signing several records (§Training record and ledger)', () => {
  test('signs all of them, or none and names every one that stands in the way', async ({
    api,
    school,
    course,
    sign,
  }) => {
    const enrollment = await enrol(api, school, course, school.student)
    const [one, two, three] = await Promise.all(
      [course.lesson, course.secondLesson, course.lesson].map((id) => grade(api, school.instructor, enrollment, id)),
    )
    await expectOk(api, school.instructor, 'POST', `/training/records/${two}/sign`, {})
    const refused = await sign([one!, two!, 1_999_999])
    expect(refused.statusCode).toBe(400)
    expect(refused.json().details.problems).toMatchObject([
      { field: 'recordIds.1', recordId: two, code: 'ALREADY_SIGNED' },
      { field: 'recordIds.2', recordId: 1_999_999 },
    ])
    expect((await sign([one!, two!])).json().code).toBe('ALREADY_SIGNED')
    const signed = await sign([three!, one!])
    expect(signed.json().data).toMatchObject([
      { id: Math.min(one!, three!), status: 'signed', signedBy: { certificateNumber: '3141592CFI' } },
      { id: Math.max(one!, three!), status: 'signed' },
    ])
  })
})
