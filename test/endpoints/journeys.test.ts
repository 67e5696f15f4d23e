import { Session } from 'node:inspector/promises'
import { describe, expect } from 'vitest'
import { expectFigure } from '../support/figures.ts'
import { schoolTest } from '../support/fixtures.ts'
import { bookDual, dualBody, expectOk, setRates } from '../support/flights.ts'
import { confirmedRequest, offer } from '../support/offerings.ts'
import { buildTraining, enrol, gradeAndSign } from '../support/training.ts'

/** Domain code: the files of `src/shared` without the platform and the wiring. */
const DOMAIN = /\/(src\/shared\/(?!platform\/|composition\/).+\.ts)$/

/** Returns the files of domain code of which some work runs a function. */
async function filesRunBy(work: () => Promise<unknown>): Promise<string[]> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  try {
    await work()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const run = result.filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
    return run.flatMap(({ url }) => DOMAIN.exec(url)?.[1] ?? [])
  } finally {
    await session.post('Profiler.stopPreciseCoverage')
    session.disconnect()
  }
}

function expectAtMost(most: number, files: readonly string[], where: string): void {
  expect(files.length).toBeLessThanOrEqual(most)
  expectFigure(`most files of domain code that run ${where}`, most)
}

const settings = { flyingDayStartMinute: 0, flyingDayEndMinute: 1440 }
const test = schoolTest({ env: { PROCESSOR_WAIT_MS: '0' }, school: { settings } })

/** The files that an engineer meets who follows a request through the domain. */
describe('the files of domain code that run', () => {
  test('in a booking are at most 40', async ({ api, school }) => {
    const files = await filesRunBy(() => expectOk(api, school.student, 'POST', '/reservations', dualBody(school)))
    expect(files).toContain('src/shared/workflows/create-reservation.ts')
    expectAtMost(40, files, 'in a booking')
  })

  test('from ramp-in to the invoice are at most 30', async ({ api, school }) => {
    await setRates(api, school)
    const url = `/reservations/${await bookDual(api, school)}`
    await expectOk(api, school.instructor, 'POST', `${url}/rampOut`, { hobbsTimeOut: 1000, tachTimeOut: 900 })
    const files = await filesRunBy(async () => {
      const readings = { hobbsTimeIn: 1001.4, tachTimeIn: 901.2, confirmMeterAnomaly: true }
      await expectOk(api, school.instructor, 'POST', `${url}/rampIn`, readings)
      await expectOk(api, school.instructor, 'POST', `${url}/confirmReview`)
      await expectOk(api, school.student, 'POST', `${url}/confirmReview`)
      await expectOk(api, school.admin, 'POST', `${url}/invoices`)
    })
    expect(files).toContain('src/shared/billing/invoices/invoice-flight.ts')
    expectAtMost(30, files, 'from ramp-in to the invoice')
  })

  test('from the grade to the countersignature are at most 18', async ({ api, school }) => {
    const course = await buildTraining(api, school)
    const enrollment = await enrol(api, school, course, school.student)
    const files = await filesRunBy(async () => {
      const id = await gradeAndSign(api, school.instructor, enrollment, course.lesson)
      await expectOk(api, school.student, 'POST', `/training/records/${id}/countersign`, {})
    })
    expect(files).toContain('src/shared/training/records/sign-record.ts')
    expectAtMost(18, files, 'from the grade to the countersignature')
  })

  test('from a guest’s request to its approval are at most 57', async ({ api, school }) => {
    await expectOk(api, school.owner, 'PATCH', '/organizations', { showInDirectory: true })
    const offering = await offer(api, school)
    const files = await filesRunBy(async () => {
      const id = await confirmedRequest(api, offering)
      await expectOk(api, school.dispatcher, 'POST', `/booking-requests/${id}/approve`, {})
    })
    expect(files).toContain('src/shared/workflows/approve-request.ts')
    expectAtMost(57, files, 'from a guest’s request to its approval')
  })
})
