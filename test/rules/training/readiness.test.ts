import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { citations } from '../../../src/shared/training/readiness/citations.rules.ts'
import { judgeReadiness } from '../../../src/shared/training/readiness/readiness.rules.ts'
import { judgedTests } from '../../../src/shared/training/readiness/readiness.types.ts'
import type { ReadinessFacts } from '../../../src/shared/training/readiness/readiness-facts.types.ts'
import { defects, readyEnrollments, weakVariants } from './random-readiness.ts'
import { cases, factsOf } from './readiness.cases.ts'
import {
  aircraft,
  endorsement,
  failing,
  knowledge,
  medical,
  noon,
  type ReadFacts,
  readyFor,
  requirement,
  sources,
} from './readiness-facts.ts'

/** The items that are not met, as `key status`. */
const openOf = (facts: ReadinessFacts) =>
  judgeReadiness(facts).items.flatMap(({ key, status }) => (status === 'met' ? [] : [`${key} ${status}`]))
const itemOf = (facts: ReadinessFacts, key: string) => judgeReadiness(facts).items.find((item) => item.key === key)

describe('readiness for a practical test (§28.2, 14 CFR 61.39)', () => {
  test('is sixty cases', () => {
    expect(cases).toHaveLength(60)
  })

  test.each(cases.map((one) => [`${one.test}: ${one.says}`, one] as const))('%s', (_name, one) => {
    const facts = factsOf(one)
    const open = judgeReadiness(facts).items.filter(({ status, counts }) => counts && status !== 'met')
    expect(open.map(({ key, status }) => `${key} ${status}`)).toEqual(one.open)
    expect(judgeReadiness(facts)).toMatchObject({ verdict: one.verdict, open: one.open.length })
  })

  test('names for every item that is met what it rests on', () => {
    for (const sought of judgedTests) {
      const bare = judgeReadiness(readyFor(sought)).items.filter(({ evidence }) => evidence.length === 0)
      // That nothing is unsigned rests on no record.
      expect(bare.map(({ key }) => key)).toEqual(['record:signed', 'record:countersigned'])
    }
  })
})

describe('readiness of random students (§28.2)', () => {
  const runs = { numRuns: 200 }

  test('invents no defect', () => {
    fc.assert(
      fc.property(readyEnrollments, (facts) => {
        expect(openOf(facts).filter((open) => !open.startsWith('experience:SCHOOL'))).toEqual([])
        expect(judgeReadiness(facts).verdict).toBe('ready')
      }),
      runs,
    )
  })

  test.each(defects)('finds each: $name', ({ seed, finds, verdict }) => {
    fc.assert(
      fc.property(readyEnrollments, (ready) => {
        const facts = seed(ready)
        const open = judgeReadiness(facts).items.filter(({ counts, status }) => counts && status !== 'met')
        expect(open.map(({ key, status }) => `${key} ${status}`)).toEqual(finds(ready))
        expect(judgeReadiness(facts).verdict).toBe(verdict)
      }),
      runs,
    )
  })

  test.each(weakVariants)('counts no weak evidence: $name', ({ seed, key }) => {
    fc.assert(
      fc.property(readyEnrollments, (ready) => {
        const item = judgeReadiness(seed(ready)).items.find((one) => one.key === key(ready))
        expect(item).toMatchObject({ status: 'unknown', why: expect.any(String) })
        expect(judgeReadiness(seed(ready)).verdict).toBe('unknown')
      }),
      runs,
    )
  })

  test.each(sources)('is unknown when %s cannot be read', (source) => {
    fc.assert(
      fc.property(readyEnrollments, (ready) => {
        const { verdict, items } = judgeReadiness(failing(ready, source))
        expect(verdict).not.toBe('ready')
        expect(items.some(({ why }) => why === 'source_failed')).toBe(true)
      }),
      runs,
    )
  })

  test('is never ready with evidence that was changed for the worse', () => {
    const worse = [...defects, ...weakVariants].map(({ seed }) => seed)
    const mutated = fc.tuple(readyEnrollments, fc.subarray(worse, { minLength: 1, maxLength: 3 }))
    fc.assert(
      fc.property(mutated, ([ready, seeds]) => {
        const facts = seeds.reduce<ReadFacts>((all, seed) => seed(all), ready)
        return judgeReadiness(facts).verdict !== 'ready'
      }),
      { numRuns: 10_000 },
    )
  })
})

describe('the endorsements for a practical test (14 CFR 61.39(a)(6))', () => {
  test('of an instrument rating are judged at the application for A.1', () => {
    const ready = readyFor('instrument')
    const others = ready.endorsements.filter(({ code }) => code !== 'A.44')
    const trained = endorsement('A.1', { signedAt: noon('2026-11-20') })
    const days = { now: noon('2026-12-01'), applicationAt: noon('2027-02-09'), at: noon('2027-02-10') }
    expect(itemOf({ ...ready, ...days, endorsements: [...others, trained] }, 'endorsement:A.44')).toMatchObject({
      status: 'ends_before',
      message: 'A.1 is good to 2027-01-31; the application is on 2027-02-09.',
      needs: { action: 'sign_endorsement', code: 'A.44' },
      owner: 'instructor',
      dueAt: days.applicationAt,
    })
    const inTime = { ...days, applicationAt: noon('2027-01-31'), at: noon('2027-02-01') }
    expect(itemOf({ ...ready, ...inTime, endorsements: [...others, trained] }, 'endorsement:A.44')?.status).toBe('met')
  })

  test('review deficient subjects by A.44 as by A.2', () => {
    const ready = { ...readyFor('instrument'), tests: [knowledge('IRA', { score: 84 })] }
    expect(itemOf(ready, 'endorsement:A.2')).toMatchObject({
      status: 'met',
      evidence: [{ kind: 'endorsement', id: 344 }],
    })
    const before = endorsement('A.44', { signedAt: noon('2026-03-01'), trainingAt: noon('2026-05-01') })
    const endorsements = [before, ...ready.endorsements.filter(({ code }) => code !== 'A.44')]
    expect(itemOf({ ...ready, endorsements }, 'endorsement:A.2')?.status).toBe('missing')
  })

  test('end with an end that the signer gave, when that is earlier', () => {
    const ready = readyFor('private')
    const short = endorsement('A.1', { expiresAt: noon('2026-06-10') })
    const endorsements = [short, ...ready.endorsements.filter(({ code }) => code !== 'A.1')]
    expect(itemOf({ ...ready, endorsements }, 'endorsement:A.1')).toMatchObject({
      status: 'ends_before',
      message: 'A.1 is good to 2026-06-10; the application is on 2026-06-18.',
    })
  })
})

describe('a failed test (14 CFR 61.49)', () => {
  const failed = knowledge(null, { id: 49, kind: 'practical', result: 'failed', takenAt: noon('2026-05-22') })
  const retrained = endorsement('A.77', { signedAt: noon('2026-05-28') })
  const withTest = (given: Partial<typeof failed>, more: ReadFacts['endorsements'] = []) => {
    const ready = readyFor('private')
    return {
      ...ready,
      tests: [...ready.tests, { ...failed, ...given }],
      endorsements: [...ready.endorsements, ...more],
    }
  }

  test('asks for A.77 that is signed after it', () => {
    expect(openOf(withTest({}))).toEqual(['retest missing'])
    expect(itemOf(withTest({}, [retrained]), 'retest')).toMatchObject({
      status: 'met',
      evidence: [
        { kind: 'training_test', id: 49 },
        { kind: 'endorsement', id: 377 },
      ],
    })
    expect(openOf(withTest({}, [{ ...retrained, weak: 'unproven' }]))).toEqual(['retest unknown'])
  })

  test('of another course, one that was discontinued, and a knowledge test that was passed later ask for nothing', () => {
    expect(openOf(withTest({ ofCourse: false }))).toEqual([])
    expect(openOf(withTest({ result: 'discontinued' }))).toEqual([])
    expect(openOf(withTest({ kind: 'knowledge', code: 'PAR', takenAt: noon('2026-02-01') }))).toEqual([])
  })

  test('of no course could be of this kind', () => {
    expect(openOf(withTest({ ofCourse: null }))).toEqual(['retest unknown'])
  })
})

describe('a student who flies to the test alone (14 CFR 61.87)', () => {
  const solo = { ...aircraft().booking!, type: 'solo' }
  const chain = ['A.3', 'A.4', 'A.6'].map((code) =>
    endorsement(code, { makeAndModel: 'C-172', expiresAt: noon('2026-07-20') }),
  )
  const alone = (endorsements: ReadFacts['endorsements'], given: Partial<typeof solo> = {}): ReadinessFacts => {
    const ready = readyFor('private')
    const modelKeys = ['c172', 'cessna172']
    return {
      ...ready,
      endorsements: [...ready.endorsements, ...endorsements],
      aircraft: aircraft({ modelKeys, booking: { ...solo, ...given } }),
    }
  }

  test('needs the solo endorsements for the aircraft', () => {
    expect(itemOf(alone(chain), 'solo_chain')?.status).toBe('met')
    expect(itemOf(alone(chain.slice(0, 2)), 'solo_chain')).toMatchObject({
      status: 'missing',
      message: 'Flown alone, the flight to the test needs A.6 or A.7.',
    })
    expect(itemOf(alone([...chain.slice(0, 2), { ...chain[2]!, makeAndModel: 'PA-28' }]), 'solo_chain')?.status).toBe(
      'missing',
    )
    expect(itemOf(alone([...chain.slice(0, 2), { ...chain[2]!, weak: 'disowned' }]), 'solo_chain')).toMatchObject({
      status: 'unknown',
      why: 'disowned',
    })
  })

  test('needs those for where the flight goes', () => {
    const away = { solo: { airport: 'KPAO', crossCountry: 'beyond', classB: false } } as const
    expect(itemOf(alone(chain, away), 'solo_chain')?.message).toBe(
      'Flown alone, the flight to the test needs A.9, A.10.',
    )
  })
})

describe('experience for a practical test', () => {
  test('of a Part 141 course is the graduation, for 60 days (14 CFR 61.71(a))', () => {
    const ready = readyFor('private')
    const graduated = (on: string, certificateId: number | null = 99): ReadinessFacts => ({
      ...ready,
      regulatoryPart: 'part141',
      experience: { ...ready.experience, graduation: { at: noon(on), certificateId } },
    })
    // 60 days after 21 April are 20 June.
    expect(itemOf(graduated('2026-04-21'), 'experience:graduation')).toMatchObject({
      status: 'met',
      message: 'The certificate of graduation serves to 2026-06-20.',
      evidence: [{ kind: 'certificate', id: 99 }],
    })
    expect(judgeReadiness(graduated('2026-04-21')).items.filter(({ group }) => group === 'experience')).toHaveLength(1)
    expect(openOf(graduated('2026-04-20'))).toEqual(['experience:graduation ends_before'])
    expect(openOf({ ...graduated('2026-04-20'), graduationWithinDays: 61 })).toEqual([])
    expect(openOf(graduated('2026-04-21', null))).toEqual(['experience:graduation unknown'])
    expect(openOf({ ...ready, regulatoryPart: 'part141' })).toEqual(['experience:graduation missing'])
  })

  test('says how much is missing, the lessons left, and how many of them are booked', () => {
    const ready = readyFor('instrument')
    const short = requirement('IR.INSTRUMENT', 350, {
      atTest: 171,
      label: 'Instrument time',
      lessonIds: [45, 46],
      booked: 1,
    })
    expect(
      itemOf({ ...ready, experience: { requirements: [short], graduation: null } }, 'experience:IR.INSTRUMENT'),
    ).toMatchObject({
      status: 'missing',
      message: 'Instrument time: 17.1 of 35.0, 1 of its lessons booked.',
      rule: '14 CFR 61.65(d)',
      needs: { action: 'fly_lessons', deciHours: 179, lessonIds: [45, 46] },
      owner: 'student',
    })
  })

  test('that the school asks for is shown and bears on nothing', () => {
    const ready = readyFor('private')
    const own = requirement('SCHOOL.NIGHT', 50, { source: 'school', atTest: 10 })
    const facts = {
      ...ready,
      experience: { ...ready.experience, requirements: [...ready.experience.requirements, own] },
    }
    expect(itemOf(facts, 'experience:SCHOOL.NIGHT')).toMatchObject({
      status: 'missing',
      rule: 'school',
      owner: 'school',
    })
    expect(judgeReadiness(facts)).toMatchObject({ verdict: 'ready', open: 0 })
  })
})

describe('the class of the aircraft (14 CFR 61.45(a))', () => {
  test.each([
    ['private', 'ASEL', 'single_engine_land', 'met'],
    ['private', 'ASEL', 'Airplane single-engine land', 'met'],
    ['private', 'ASEL', 'multi_engine_land', 'missing'],
    ['private', 'ASEL', 'single_engine_sea', 'missing'],
    ['commercial', 'AMEL', 'multi_engine_land', 'met'],
    ['commercial', 'AMEL', 'single_engine_land', 'missing'],
    ['commercial', 'AMES', 'multi_engine_land', 'missing'],
    ['private', 'ASEL', null, 'unknown'],
    ['private', 'ASEL', 'single engine', 'unknown'],
    ['private', 'ASEL', 'multi engine', 'missing'],
    ['private', null, 'single_engine_land', 'unknown'],
    ['cfi', 'CFI-ASE', 'single_engine_sea', 'met'],
    ['cfi', 'CFI-ASE', 'multi_engine_land', 'missing'],
    ['instrument', 'IR-A', 'multi_engine_land', undefined],
  ] as const)('for a %s test of %s in %s is %s', (sought, rating, its, status) => {
    const facts = { ...readyFor(sought), rating, aircraft: aircraft({ class: its }) }
    expect(itemOf(facts, 'aircraft:class')?.status).toBe(status)
    const verdict = status === 'missing' ? 'not_ready' : status === 'unknown' ? 'unknown' : 'ready'
    expect(judgeReadiness(facts).verdict).toBe(verdict)
  })
})

describe('what the rules do not cover', () => {
  test('answers what any test asks for, and is unknown', () => {
    const { verdict, items } = judgeReadiness({ ...readyFor('private'), covered: false })
    expect(verdict).toBe('unknown')
    expect(items[0]).toMatchObject({ key: 'test_rules', status: 'unknown', why: 'not_covered' })
    expect([...new Set(items.map(({ group }) => group))]).toEqual(['tests', 'person', 'record', 'aircraft'])
    const late = { ...readyFor('cfi'), sought: null, medicals: [medical({ examinedOn: '2020-01-01' })] }
    expect(judgeReadiness(late).verdict).toBe('not_ready')
  })

  test('that an aircraft is no airplane is said', () => {
    expect(openOf(readyFor('private', { aircraft: aircraft({ category: 'helicopter' }) }))).toEqual([
      'aircraft unknown',
    ])
  })

  test('a rule from memory is said to be unverified, and is never more than unknown', () => {
    const fromMemory = { ...citations, medical: { ...citations.medical, fromMemory: true as const } }
    const missing = { ...readyFor('private'), medicals: [] }
    for (const facts of [missing, readyFor('private')]) {
      const { verdict, items } = judgeReadiness(facts, fromMemory)
      expect(verdict).toBe('unknown')
      expect(items.find(({ key }) => key === 'medical')).toMatchObject({
        status: 'unknown',
        why: 'rule_unverified',
        rule: '14 CFR 61.39(a)(4), 61.23 (unverified)',
      })
    }
  })
})
