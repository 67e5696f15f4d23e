import { describe, expect } from 'vitest'
import { asOwner } from '../../support/database.ts'
import { sharedSchoolTest } from '../../support/fixtures.ts'
import { closedOutFlight, expectOk } from '../../support/flights.ts'
import { checkSeals } from '../../support/seals.ts'

const test = sharedSchoolTest().extend(
  'endorse',
  ({ api, school }) =>
    async (renderedText: string, who = school.instructor) =>
      api.as(who).post('/training/endorsements', {
        orgUserId: school.student.orgUserId,
        title: 'Free text',
        renderedText,
      }),
)

describe('what is signed is sealed', () => {
  test('an endorsement, with its signer and its member; a refused one leaves no seal and no gap', async ({
    api,
    school,
    endorse,
  }) => {
    const { id } = (await endorse('May fly solo.')).json().data
    expect((await endorse('May fly solo.', school.student)).statusCode).toBe(403)
    const last = (await checkSeals(api, school.organizationId)).at(-1)
    expect(last).toMatchObject({
      kind: 'endorsement.issued',
      id,
      memberId: school.student.orgUserId,
      signerId: school.instructor.orgUserId,
      authentic: true,
      intact: true,
    })
  })

  test('each signature on a flight, the sign-off, and the reopening', async ({ api, school }) => {
    const { instructor, student, dispatcher, organizationId } = school
    const before = (await checkSeals(api, organizationId)).length
    const id = await closedOutFlight(api, school)
    await expectOk(api, dispatcher, 'POST', `/reservations/${id}/reopen`, { reason: 'Wrong readings' })
    const sealed = (await checkSeals(api, organizationId)).slice(before)
    expect(sealed.map(({ kind, id: flight, signerId }) => [kind, flight, signerId])).toEqual([
      ['reservation.confirmed', id, instructor.orgUserId],
      ['reservation.confirmed', id, student.orgUserId],
      ['reservation.signed_off', id, student.orgUserId],
      ['reservation.reopened', id, dispatcher.orgUserId],
    ])
  })

  test('sixteen at once get sixteen numbers without a gap', async ({ api, school, endorse }) => {
    await Promise.all(Array.from({ length: 16 }, (_, index) => endorse(`May fly to airport ${index}.`)))
    const numbers = (await checkSeals(api, school.organizationId)).map(({ number }) => number)
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    expect(numbers.length).toBeGreaterThanOrEqual(16)
  })

  test('a text that the owner of the tables changes no longer agrees with its seal', async ({
    api,
    school,
    endorse,
  }) => {
    const { id } = (await endorse('May fly solo in a 172.')).json().data
    await asOwner(
      api,
      `alter table endorsement disable trigger user;
       update endorsement set rendered_text = 'May fly solo in a 182.' where id = ${id};
       alter table endorsement enable trigger user`,
    )
    const seals = await checkSeals(api, school.organizationId)
    expect(seals.filter(({ intact, kind }) => !intact && kind === 'endorsement.issued').map((seal) => seal.id)).toEqual(
      [id],
    )
    expect(seals.every(({ authentic }) => authentic)).toBe(true)
  })

  test('nobody changes or deletes a seal, not even the owner of the tables', async ({ api, endorse }) => {
    await endorse('May fly solo at night.')
    for (const statement of ['update seal set number = number + 1000', 'delete from seal']) {
      await expect(asOwner(api, statement)).rejects.toThrow('seal is append-only')
    }
  })
})
