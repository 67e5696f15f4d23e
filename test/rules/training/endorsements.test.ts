import { describe, expect, test } from 'vitest'
import {
  type Author,
  expiryOf,
  fillIn,
  placeholdersIn,
  signatureOf,
} from '../../../src/shared/training/endorsements/endorsement.rules.ts'
import {
  CURRENT_EDITION,
  editions,
  findEndorsementTemplate,
  templatesOf,
} from '../../../src/shared/training/endorsements/endorsement-templates.ts'
import {
  assertFitsTemplate,
  assertHasHappenedInOrder,
} from '../../../src/shared/training/endorsements/new-endorsement.rules.ts'

const current = templatesOf(CURRENT_EDITION)
const numbers = (last: number) => Array.from({ length: last }, (_, index) => `A.${index + 1}`)

describe('the days of an endorsement', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const order = (signed: string | null, trained: string | null) => () =>
    assertHasHappenedInOrder(
      { signedAt: signed === null ? null : new Date(signed), trainingAt: trained === null ? null : new Date(trained) },
      now,
      'America/Los_Angeles',
    )

  test.each([
    ['a signature ahead', '2026-11-22T12:00:00Z', null, 'signedAt: must not lie in the future'],
    ['training ahead', null, '2026-11-22T12:00:00Z', 'trainingAt: must not lie in the future'],
    [
      'training after the signature',
      '2026-11-19T20:00:00Z',
      '2026-11-20T20:00:00Z',
      'trainingAt: is after the signature',
    ],
  ])('do not admit %s', (_name, signed, trained, message) => {
    expect(order(signed, trained)).toThrow(message)
  })

  test('admit training on the local day of the signature', () => {
    expect(order('2026-11-20T01:00:00Z', '2026-11-20T06:00:00Z')).not.toThrow()
  })
})

describe('the catalog of endorsements (AC 61-65K)', () => {
  test('has the ninety-six codes of the current edition and the ninety-two of the one before, in order', () => {
    expect(current.map(({ code }) => code)).toEqual(numbers(96))
    expect(templatesOf('AC 61-65H').map(({ code }) => code)).toEqual(numbers(92))
  })

  test.each<[string, string, string]>([
    ['A.21', 'A.21', 'Sport pilot: passing the practical test'],
    ['A.22', 'A.23', 'Sport pilot: Class B, C or D airspace and towered airports'],
    ['A.24', 'A.25', 'Sport pilot: aircraft with a VH above 87 KCAS'],
    ['A.25', 'A.29', 'Recreational pilot: knowledge test'],
    ['A.67', 'A.71', 'Completion of an instrument proficiency check'],
    ['A.71', 'A.75', 'Pilot in command of a tailwheel airplane'],
    ['A.82', 'A.86', 'Review of a home-study curriculum'],
    ['A.85', 'A.87', 'Credit for experience in ultralight vehicles'],
    ['A.92', 'A.94', 'Enhanced flight vision system: supplementary training'],
  ])('has %s of AC 61-65H as %s: %s', (before, now, title) => {
    expect(findEndorsementTemplate(before, 'AC 61-65H')?.title).toBe(title)
    expect(findEndorsementTemplate(now)?.title).toBe(title)
  })

  test('offers neither what was withdrawn nor, in the edition before, what is new', () => {
    const titles = (edition: (typeof editions)[number]) => templatesOf(edition).map(({ title }) => title)
    const fresh = current.filter(({ previousCode }) => previousCode === null).map(({ code }) => code)
    expect(fresh).toEqual(['A.22', 'A.26', 'A.27', 'A.28', 'A.95', 'A.96'])
    const gone = titles('AC 61-65H').filter((title) => !titles('AC 61-65K').includes(title))
    expect(gone).toEqual([
      'Experimental aircraft only: additional category or class',
      'Experimental aircraft only: additional rating, airline transport pilot',
    ])
  })

  test('limits what the rule limits: in days, in calendar months, or to one flight', () => {
    const limited = current.flatMap(({ code, validity, countsFrom }) =>
      validity === null ? [] : [[code, validity, 'singleFlight' in validity ? 'flight' : countsFrom]],
    )
    expect(limited).toEqual([
      ['A.1', { calendarMonths: 2 }, 'training'],
      ['A.5', { days: 90 }, 'training'],
      ['A.6', { days: 90 }, 'training'],
      ['A.7', { days: 90 }, 'training'],
      ['A.10', { singleFlight: true }, 'flight'],
      ['A.12', { days: 90 }, 'signature'],
      ['A.13', { days: 90 }, 'signature'],
      ['A.15', { days: 90 }, 'training'],
      ['A.16', { days: 90 }, 'training'],
      ['A.34', { singleFlight: true }, 'flight'],
      ['A.44', { calendarMonths: 2 }, 'training'],
      ['A.59', { calendarMonths: 12 }, 'signature'],
      ['A.61', { days: 90 }, 'signature'],
      ['A.62', { calendarMonths: 12 }, 'signature'],
      ['A.64', { calendarMonths: 12 }, 'training'],
      ['A.65', { days: 90 }, 'signature'],
      ['A.66', { calendarMonths: 12 }, 'signature'],
      ['A.68', { calendarMonths: 12 }, 'training'],
      ['A.69', { calendarMonths: 24 }, 'training'],
      ['A.70', { calendarMonths: 24 }, 'training'],
      ['A.71', { calendarMonths: 6 }, 'training'],
    ])
  })

  test('renews by the reviews, checks and solo endorsements that attest it', () => {
    const renewing = Object.groupBy(
      current.filter(({ renews }) => renews !== null),
      ({ renews }) => renews!,
    )
    expect(
      Object.fromEntries(Object.entries(renewing).map(([key, all]) => [key, all.map(({ code }) => code)])),
    ).toEqual({
      solo: ['A.6', 'A.7', 'A.61', 'A.65'],
      solo_night: ['A.5'],
      solo_airspace: ['A.12', 'A.13', 'A.15', 'A.16'],
      ground_instructor: ['A.59'],
      sfar73_r22: ['A.62', 'A.64'],
      sfar73_r44: ['A.66', 'A.68'],
      flight_review: ['A.69', 'A.70'],
      instrument: ['A.71'],
    })
  })

  test('names the student in every text and cites a rule beside it', () => {
    const wrong = editions
      .flatMap(templatesOf)
      .filter(
        ({ text, rules }) =>
          !placeholdersIn(text).includes('student') || !rules.every((rule) => /CFR|SFAR|FAA-S/.test(rule)),
      )
    expect(wrong.map(({ code }) => code)).toEqual([])
  })

  test('has in every text each of its parameters, and no placeholder besides', () => {
    const odd = editions
      .flatMap(templatesOf)
      .filter(
        ({ text, parameters }) =>
          /[{}]/.test(text.replace(/\{\{\w+\}\}/g, '')) ||
          placeholdersIn(text).sort().join() !== [...parameters, 'student'].sort().join(),
      )
    expect(odd.map(({ code }) => code)).toEqual([])
  })

  test('finds a code in upper and lower case', () => {
    expect(findEndorsementTemplate('a.6')?.rules).toEqual(['14 CFR 61.87(n)'])
    expect(findEndorsementTemplate('A.97')).toBeNull()
    expect(findEndorsementTemplate('A.93', 'AC 61-65H')).toBeNull()
  })
})

describe('the template of an endorsement', () => {
  test('is filled in with what is known and leaves the rest to the instructor', () => {
    const text = fillIn('{{student}} may fly the {{makeAndModel}}; so may {{student}}.', { student: 'Ana $& Ruiz' })
    expect(text).toBe('Ana $& Ruiz may fly the {{makeAndModel}}; so may Ana $& Ruiz.')
    expect(placeholdersIn(text)).toEqual(['makeAndModel'])
  })
})

describe('the endorsement of a proficiency check (14 CFR 61.321, 61.419)', () => {
  const fits =
    (code: string, parameters: Record<string, string>, edition: (typeof editions)[number] = CURRENT_EDITION) =>
    () =>
      assertFitsTemplate(findEndorsementTemplate(code, edition), { parameters })

  test.for(['A.18', 'A.19', 'A.53', 'A.54'])('%s is not for an airplane or a helicopter', (code) => {
    for (const category of ['airplane', 'Helicopter', ' AIRPLANE ', 'rotorcraft-helicopter']) {
      expect(fits(code, { category })).toThrow(
        /^parameters\.category: an airplane or a helicopter needs a practical test, .*\(14 CFR 61\.(321\(a\)|419)\)$/,
      )
    }
    expect(fits(code, { category: 'rotorcraft', class: 'helicopter' })).toThrow('parameters.class: ')
    for (const category of ['glider', 'rotorcraft', 'weight-shift control', 'powered parachute']) {
      expect(fits(code, { category, class: 'gyroplane' })).not.toThrow()
    }
    expect(fits(code, {})).not.toThrow()
  })

  test('no other endorsement excludes an aircraft, nor does one of the edition before', () => {
    const excluding = current.filter((one) => one.notForAirplanesOrHelicopters).map(({ code }) => code)
    expect(excluding).toEqual(['A.18', 'A.19', 'A.53', 'A.54'])
    expect(fits('A.20', { category: 'airplane' })).not.toThrow()
    for (const code of ['A.18', 'A.19', 'A.49', 'A.50']) {
      expect(fits(code, { category: 'airplane' }, 'AC 61-65H')).not.toThrow()
    }
  })
})

describe('the expiry of an endorsement', () => {
  const CHICAGO = 'America/Chicago'
  const at = (day: string | null) => (day === null ? null : new Date(`${day}T18:00:00Z`))
  const lastDay = (code: string, signed: string, trained: string | null = null, flightOn: string | null = null) => {
    const days = { signedAt: at(signed)!, trainingAt: at(trained), flightOn }
    const end = expiryOf(findEndorsementTemplate(code)!, days, CHICAGO)
    return end && new Date(end.getTime() - 12 * 3_600_000).toISOString().slice(0, 10)
  }

  test.each<[string, string, string, string | null, string]>([
    ['counts 90 days from the day of the training', 'A.6', '2026-04-02', null, '2026-07-01'],
    ['does so when it is signed later', 'A.6', '2026-04-10', '2026-04-02', '2026-07-01'],
    ['does so at night', 'A.5', '2026-05-01', null, '2026-07-30'],
    ['counts from the signature for Class B airspace', 'A.12', '2026-06-10', '2026-05-20', '2026-09-08'],
    ['counts from the training for sport and recreational students', 'A.15', '2026-06-10', '2026-05-20', '2026-08-18'],
    [
      'is the end of the second calendar month for the prerequisites of a test',
      'A.1',
      '2026-04-01',
      '2026-03-20',
      '2026-05-31',
    ],
    ['is the end of the 24th calendar month for a flight review', 'A.69', '2024-05-10', null, '2026-05-31'],
    [
      'is the end of the 6th calendar month for an instrument proficiency check',
      'A.71',
      '2026-10-12',
      null,
      '2027-04-30',
    ],
    ['is the end of the 12th calendar month for the R-22', 'A.62', '2026-04-02', null, '2027-04-30'],
    ['is the end of a short month', 'A.71', '2026-08-15', null, '2027-02-28'],
  ])('%s (%s)', (_, code, signed, trained, last) => {
    expect(lastDay(code, signed, trained)).toBe(last)
  })

  test('is the end of the day of the flight for a single flight', () => {
    expect(lastDay('A.10', '2026-06-12', null, '2026-06-14')).toBe('2026-06-14')
  })

  test('is the last moment of the local day', () => {
    // November 21 and 90 days more is February 19; in New York it is November 20 still at 03:00 UTC.
    const end = (signedAt: string, zone: string) =>
      expiryOf(
        findEndorsementTemplate('A.6')!,
        { signedAt: new Date(signedAt), trainingAt: null, flightOn: null },
        zone,
      )
    expect(end('2026-11-21T12:00:00Z', 'UTC')).toEqual(new Date('2027-02-19T23:59:59.999Z'))
    expect(end('2026-11-21T12:00:00Z', 'America/New_York')).toEqual(new Date('2027-02-20T04:59:59.999Z'))
    expect(end('2026-11-21T03:00:00Z', 'America/New_York')).toEqual(new Date('2027-02-19T04:59:59.999Z'))
  })

  test('is absent where the rule sets no end', () => {
    expect(lastDay('A.8', '2026-06-10')).toBeNull()
    expect(lastDay('A.75', '2026-06-10')).toBeNull()
  })
})

describe('the signer of an endorsement (AC 61-65K)', () => {
  const instructor: Author = { isInstructor: true, isAdmin: false, namesSigner: false }
  const admin: Author = { isInstructor: false, isAdmin: true, namesSigner: false }
  const naming = (author: Author) => ({ ...author, namesSigner: true })

  test.each<[string, Parameters<typeof signatureOf>[0], Author, ReturnType<typeof signatureOf>]>([
    ['an instructor signs what instructors sign', 'flight_instructor', instructor, 'own'],
    ['an instructor signs without a template', null, instructor, 'own'],
    ['an instructor records nothing in the name of another instructor', 'flight_instructor', naming(instructor), null],
    ['an instructor records what an examiner signed', 'examiner', naming(instructor), 'on_behalf'],
    ['an instructor does not sign for an examiner', 'examiner', instructor, null],
    ['an admin records in the name of an instructor', 'instrument_instructor', naming(admin), 'on_behalf'],
    ['an admin who names nobody records it unsigned', 'flight_or_ground_instructor', admin, 'unsigned'],
    ['an admin records what an institution signed', 'institution', naming(admin), 'on_behalf'],
    ['an admin does not sign for a tow pilot', 'tow_pilot', admin, null],
    ['an admin who is an instructor signs', 'robinson_instructor', { ...admin, isInstructor: true }, 'own'],
    ['the instructor pilot of a manufacturer is recorded by name', 'instructor_pilot', instructor, null],
  ])('%s', (_, signer, author, signature) => {
    expect(signatureOf(signer, author)).toBe(signature)
  })
})
