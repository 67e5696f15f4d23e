import { describe, expect } from 'vitest'
import { buildSchool, type Member } from '../../support/builders.ts'
import { workersTest } from '../../support/fixtures.ts'
import { bookDual, expectOk, fly } from '../../support/flights.ts'
import { buildManaged } from '../../support/managed.ts'

const test = workersTest()

describe('a flight that the desk signs for a member without an account (§Dispatch)', () => {
  test('is mailed to the member with its figures', async ({ api, workers }) => {
    const school = await buildSchool(api)
    const mia = await buildManaged(api, school, { email: 'mia@managed.example', student: true })
    const id = await bookDual(api, school, { students: [mia as unknown as Member] })
    await fly(api, school, id)
    await expectOk(api, school.instructor, 'POST', `/reservations/${id}/confirmReview`)
    await workers.settled()
    expect(workers.mails('mia@managed.example')).toEqual([])
    await expectOk(api, school.dispatcher, 'POST', `/reservations/${id}/confirmReview`, { onBehalfOf: mia.orgUserId })
    await workers.settled()
    const mails = workers.mails('mia@managed.example')
    expect(mails).toMatchObject([{ subject: expect.stringMatching(/^Signed for you: /) }])
    expect(mails[0]!.text).toMatch(/Hobbs \d+\.\d\d to \d+\.\d\d/)
  })
})
