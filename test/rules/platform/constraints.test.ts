import { describe, expect, test } from 'vitest'
import { isRetryableConflict, toDomainError } from '../../../src/shared/platform/db/constraints.ts'
import { AppError } from '../../../src/shared/platform/kernel/errors.ts'

const refusal = (fields: object) => toDomainError(Object.assign(new Error('refused'), fields))

describe('a refusal by the database (decision 4)', () => {
  test.each([
    ['account_email', 400, 'email: this address is already registered'],
    ['membership_person', 409, 'This person is a member already.'],
    ['invitation_open', 400, 'email: this address is already invited'],
    ['member_group_name', 409, 'name: another group has this name'],
    ['availability_overlap', 400, 'availability: items of one day must not overlap'],
    ['reservation_resource_clash', 400, 'The resource is already booked at this time.'],
    ['reservation_resource_out', 400, 'The resource is out on another booking.'],
    ['seat_person_clash', 400, 'Somebody on the booking is already booked at this time.'],
    ['seat_guest_clash', 400, 'The guest is already booked at this time.'],
    ['invoice_standing_share', 400, 'This payer is already invoiced for the booking.'],
    ['ledger_entry_reverses_id_key', 409, 'This entry is already reversed.'],
    ['syllabus_version_label', 409, 'The course has a version of this label already.'],
    ['syllabus_requirement_code', 409, 'The code is in use in this version.'],
    ['enrollment_open', 409, 'The student is enrolled on the course already.'],
    ['invoice_enrollment_fee', 409, 'The enrollment fee is invoiced already.'],
    ['training_record_amends_id_key', 409, 'The record was amended already.'],
    ['credit_entry_reverses_id_key', 409, 'This entry is already reversed.'],
    ['endorsement_supersedes_id_key', 409, 'The endorsement is replaced already.'],
    ['desk_grant_once', 409, 'The member holds this grant already.'],
    ['training_grant_once', 409, 'The member holds this grant already.'],
  ])('by the constraint %s is a %i: %s', (constraint, status, message) => {
    expect(refusal({ code: '23505', constraint })).toMatchObject({ status, message })
  })

  test('of a row that others refer to says that it is in use', () => {
    const detail = 'Key (id)=(7) is still referenced from table "reservation".'
    expect(refusal({ code: '23503', detail })).toMatchObject({
      status: 400,
      message: 'This is still used by another record.',
    })
  })

  test.each(['40001', '40P01'])(
    'of a transaction that another one was in the way of (%s) can be tried again',
    (code) => {
      const error = Object.assign(new Error('refused'), { code })
      expect(isRetryableConflict(error)).toBe(true)
      expect(toDomainError(error)).toMatchObject({ status: 409, message: expect.stringContaining('at the same time') })
    },
  )

  test('is found under the error of the ORM that wraps it', () => {
    const cause = Object.assign(new Error('refused'), { code: '23505', constraint: 'account_email' })
    expect(toDomainError(new Error('insert failed', { cause }))).toBeInstanceOf(AppError)
  })

  test('that nobody foresaw stays what it is', () => {
    const error = Object.assign(new Error('refused'), { code: '23514', constraint: 'amount_check' })
    expect(toDomainError(error)).toBe(error)
    expect(isRetryableConflict(error)).toBe(false)
  })
})
