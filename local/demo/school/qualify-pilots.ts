import { changeProfile, type ProfileChanges } from '../../../src/shared/identity/profiles/change-profile.ts'
import { admins, type Role } from '../../../src/shared/platform/authz/roles.ts'
import type { CurrencyKind } from '../../../src/shared/qualification/currencies/currency.rules.ts'
import type { MedicalClass } from '../../../src/shared/qualification/currencies/medical.rules.ts'
import { recordCurrency } from '../../../src/shared/qualification/currencies/record-currency.ts'
import { createCurrency } from '../../../src/shared/qualification/currencies/write-currency.ts'
import type { PilotMinimums } from '../../../src/shared/qualification/minimums/minimums.rules.ts'
import { replaceMinimums } from '../../../src/shared/qualification/minimums/replace-minimums.ts'
import { daysFrom } from './days.ts'
import type { DemoSchool } from './found-school.ts'
import type { PersonKey } from './people.ts'
import type { SchoolTransaction } from './school-transaction.ts'
import { CERTIFICATES } from './training.ts'

const airplane = ['airplane_single_engine_land']
const instrument = [...airplane, 'instrument_airplane']

/** The profiles of the pilots. `instructor`: the number and ratings of the instructor's certificate, and the days until it expires. */
const profiles: {
  of: PersonKey
  facts: ProfileChanges
  instructor?: { number: string; days: number; ratings?: string[] }
}[] = [
  {
    of: 'ivan',
    facts: {
      birthDate: '1979-02-11',
      pilotCertificate: { grade: 'commercial', number: '2718281', ratings: instrument, issuedAt: '2004-06-18' },
      emergencyContact: { name: 'Elena Petrova', phone: '+1 510 555 0133', relation: 'wife' },
    },
    instructor: { number: CERTIFICATES.ivan, days: 24 },
  },
  {
    of: 'isabel',
    facts: {
      birthDate: '1991-09-30',
      pilotCertificate: { grade: 'commercial', number: '3141592', ratings: instrument, issuedAt: '2015-03-02' },
    },
    instructor: { number: CERTIFICATES.isabel, days: 400, ratings: instrument },
  },
  {
    of: 'rita',
    facts: {
      birthDate: '1968-07-04',
      pilotCertificate: { grade: 'private', number: '1618033', ratings: airplane, issuedAt: '2009-05-23' },
      weightPounds: 148,
    },
  },
  {
    of: 'samir',
    facts: {
      birthDate: '1984-12-19',
      pilotCertificate: { grade: 'private', number: '1414213', ratings: airplane, issuedAt: '2022-10-08' },
    },
  },
  { of: 'theo', facts: { birthDate: '2003-08-14', pilotCertificate: { grade: 'student', number: '2236067' } } },
  { of: 'stella', facts: { birthDate: '2001-05-06', pilotCertificate: { grade: 'student', number: '5772156' } } },
]

/** Currencies that regulations require and that the school adds. Flight review and medical exist in every new school. */
const kinds: { name: string; kind: CurrencyKind; roles: Role[] }[] = [
  { name: 'Passengers by day', kind: 'passenger_day', roles: ['renter', 'student'] },
  { name: 'Passengers by night', kind: 'passenger_night', roles: ['renter'] },
  { name: 'Instrument', kind: 'instrument', roles: ['instructor'] },
  { name: 'Instructor certificate', kind: 'instructor_certificate', roles: ['instructor'] },
]

/** The currency records. Each is dated on the first day of the month that was `monthsAgo` months ago. */
const done: { currency: string; of: PersonKey; monthsAgo: number; class?: MedicalClass }[] = [
  { currency: 'Flight review', of: 'ivan', monthsAgo: 8 },
  { currency: 'Flight review', of: 'isabel', monthsAgo: 24 },
  { currency: 'Flight review', of: 'rita', monthsAgo: 15 },
  { currency: 'Flight review', of: 'samir', monthsAgo: 26 },
  { currency: 'Medical', of: 'ivan', monthsAgo: 5, class: 'second' },
  { currency: 'Medical', of: 'isabel', monthsAgo: 3, class: 'first' },
  { currency: 'Medical', of: 'rita', monthsAgo: 24, class: 'third' },
  { currency: 'Medical', of: 'samir', monthsAgo: 30, class: 'third' },
  { currency: 'Medical', of: 'theo', monthsAgo: 14, class: 'third' },
  { currency: 'Medical', of: 'stella', monthsAgo: 9, class: 'second' },
  { currency: 'Instrument', of: 'ivan', monthsAgo: 2 },
  { currency: 'Instrument', of: 'isabel', monthsAgo: 8 },
]

/** The weather limits that instructors set for their students. */
const limits: { of: PersonKey; by: PersonKey; minimums: PilotMinimums }[] = [
  {
    of: 'stella',
    by: 'ivan',
    minimums: { ceilingFeet: 3000, visibilityMiles: 5, windKnots: 12, gustKnots: 15, crosswindKnots: 6 },
  },
  {
    of: 'samir',
    by: 'isabel',
    minimums: { ceilingFeet: 2000, visibilityMiles: 5, windKnots: 18, gustKnots: 22, crosswindKnots: null },
  },
]

/** Writes the profiles, currencies (valid, due and lapsed) and weather limits of the demo school's pilots. */
export async function qualifyPilots(school: SchoolTransaction, { actors }: DemoSchool, now: Date): Promise<void> {
  const { adam } = actors
  const at = daysFrom(now, -78)
  for (const { of, facts, instructor } of profiles) {
    const instructorCertificate = instructor && {
      number: instructor.number,
      validUntil: daysFrom(now, instructor.days).toISOString().slice(0, 10),
      ratings: instructor.ratings ?? airplane,
    }
    await school.at(at, (tx) => changeProfile(tx, adam, actors[of].orgUserId, { ...facts, instructorCertificate }))
  }
  const shared = { reservationTypes: [], resourceIds: [], warnDays: 30, appliesTo: 'pic' as const }
  const nothing = { validCalendarMonths: null, count: null, days: null, deciHours: null, scope: null, privilege: null }
  for (const kind of kinds) {
    const settings = { ...shared, ...nothing, liftedWhenSupervised: true, overridableBy: [...admins] }
    await school.at(at, (tx) => createCurrency(tx, adam, { ...kind, ...settings }))
  }
  for (const { currency, of, monthsAgo, class: medicalClass } of done) {
    const on = monthsBefore(now, monthsAgo)
    const dates = medicalClass ? { class: medicalClass, examinedAt: on } : { completedAt: on }
    await school.at(daysFrom(now, -5), async (tx) => {
      const rule = await tx.db
        .selectFrom('currency')
        .select('id')
        .where('organization_id', '=', adam.organizationId)
        .where('name', '=', currency)
        .executeTakeFirstOrThrow()
      return recordCurrency(tx, adam, { orgUserId: actors[of].orgUserId, currencyId: rule.id, ...dates })
    })
  }
  for (const { of, by, minimums } of limits) {
    await school.at(daysFrom(now, -20), (tx) => replaceMinimums(tx, actors[by], actors[of].orgUserId, minimums))
  }
}

function monthsBefore(now: Date, months: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1, 20))
}
