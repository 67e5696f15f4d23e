import { describe, expect } from 'vitest'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk, fly } from '../../../support/flights.ts'
import { buildTraining, enrol } from '../../../support/training.ts'

interface Signed extends Record<string, unknown> {
  id: number
  creditsPosted: Record<string, unknown>[]
}

const test = schoolTest()
  .extend('flown', async ({ api, school }) => {
    const id = await bookDual(api, school)
    await fly(api, school, id)
    return id
  })
  /** Grades a lesson that credits instrument and PIC time and landings, for the flight of 1.4 hours. */
  .extend('grade', async ({ api, school, flown }) => {
    const course = await buildTraining(api, school, { publish: false })
    const url = `/training/versions/${course.versionId}`
    const body = { code: 'IR', label: 'Instrument time', minDeciHours: 30 }
    const { id: requirementId } = await expectOk<{ id: number }>(api, school.admin, 'PUT', `${url}/requirements`, body)
    const credits = [
      ...['instrument', 'pic'].map((clock) => ({ requirementId, clock })),
      { requirementId: course.landings, clock: 'landings' },
    ]
    const { id: lessonId } = await expectOk<{ id: number }>(api, school.admin, 'PUT', `${url}/lessons`, {
      stageId: course.stageId,
      name: 'Under the hood',
      position: 9,
      kind: 'flight',
      credits,
    })
    await expectOk(api, school.admin, 'POST', `${url}/publish`, {})
    const enrollmentId = await enrol(api, school, course, school.student)
    return (given: object = {}) =>
      api.as(school.instructor).post('/training/records', {
        enrollmentId,
        lessonId,
        grade: 'S',
        reservationId: flown,
        ...given,
      })
  })

describe('a record of a booking (§Training record and ledger)', () => {
  test('has the times of its meters where the body leaves them out', async ({ grade }) => {
    const answer = (await grade({ flightDeciHours: 13 })).json()
    expect(answer.data).toMatchObject({
      flightDeciHours: 13,
      instructionDeciHours: 14,
      simulatorDeciHours: null,
      picDeciHours: null,
    })
    expect(answer.warnings).toBeUndefined()
  })

  test('is kept with a warning where it differs by more than 0.2 hours, together with its other records', async ({
    api,
    school,
    flown,
    grade,
  }) => {
    const window = 'startDate=2026-11-01&endDate=2026-11-30'
    const reported = () => expectOk<object[]>(api, school.instructor, 'GET', `/reports/training-mismatch?${window}`)
    const first = (await grade({ flightDeciHours: 10 })).json()
    const sentence = 'The record has 1.0 hours of flight time, the booking 1.4: please check which is right.'
    expect([first.warning, first.warnings]).toEqual([sentence, [sentence]])
    const recorded = { clock: 'flight', recordedDeciHours: 10, bookedDeciHours: 14, recordIds: String(first.data.id) }
    const { orgUserId, name } = school.student
    expect(await reported()).toMatchObject([{ ...recorded, reservationId: flown, orgUserId, name }])
    const rest = { recordId: null, flightDeciHours: 4, instructionDeciHours: 0 }
    expect((await grade(rest)).json().warnings).toBeUndefined()
    expect(await reported()).toEqual([])
  })

  test('is signed with what the student logged, and with its own figures where it has them', async ({
    api,
    school,
    flown,
    grade,
  }) => {
    const log = {
      orgUserId: school.student.orgUserId,
      dualReceived: 14,
      pic: 12,
      simulatedInstrument: 5,
      actualInstrument: 3,
    }
    const rows = [{ ...log, dayTakeoffs: 2, dayLandings: 2 }]
    await expectOk(api, school.student, 'PUT', `/reservations/${flown}/log`, { rows })
    const { data } = (await grade({ picDeciHours: 10 })).json()
    const signed = await expectOk<Signed>(api, school.instructor, 'POST', `/training/records/${data.id}/sign`)
    expect(signed).toMatchObject({
      picDeciHours: 10,
      simulatedInstrumentDeciHours: 5,
      actualInstrumentDeciHours: 3,
      landings: 2,
    })
    expect(signed.creditsPosted).toMatchObject([
      { clock: 'instrument', deciHours: 8, source: 'lesson', deviceKind: null },
      { clock: 'pic', deciHours: 10 },
      { clock: 'landings', count: 2, deciHours: null },
    ])
  })
})
