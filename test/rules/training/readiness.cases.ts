import type { JudgedTest, Verdict } from '../../../src/shared/training/readiness/readiness.types.ts'
import {
  aircraft,
  endorsement,
  inspection,
  knowledge,
  medical,
  noon,
  type ReadFacts,
  readyFor,
  requirement,
} from './readiness-facts.ts'

/**
 * A written case: what differs from a student who is ready, and what the rule says of it. The verdicts are decided from the regulation, not by the
 * code. Judged on 1 June 2026; the application is on 18 June and the test on 20 June, where a case does not say otherwise.
 */
export interface ReadinessCase {
  test: JudgedTest
  says: string
  /** The paragraph that decides it, of 14 CFR. */
  rule: string
  given: (ready: ReadFacts) => Partial<ReadFacts>
  verdict: Verdict
  /** The items that are not met, as `key status`. */
  open: readonly string[]
}

const person = (given: Partial<ReadFacts['person']>) => (ready: ReadFacts) => ({
  person: { ...ready.person, ...given },
})
const born = (value: string) => person({ birthDate: { value, weak: null } })
const certificate = (grade: string, ratings: string[]) =>
  person({ pilotCertificate: { value: { grade, ratings }, weak: null } })
const record = (given: Partial<ReadFacts['record']>) => (ready: ReadFacts) => ({
  record: { ...ready.record, ...given },
})
const requirements = (changed: ReturnType<typeof requirement>) => (ready: ReadFacts) => ({
  experience: {
    ...ready.experience,
    requirements: ready.experience.requirements.map((one) => (one.code === changed.code ? changed : one)),
  },
})
/** The endorsements of the student with others in place of those of their codes. */
const signing =
  (...changed: ReturnType<typeof endorsement>[]) =>
  ({ endorsements }: ReadFacts) => ({
    endorsements: [...endorsements.filter(({ code }) => !changed.some((one) => one.code === code)), ...changed],
  })
const without =
  (...codes: string[]) =>
  ({ endorsements }: ReadFacts) => ({ endorsements: endorsements.filter(({ code }) => !codes.includes(code)) })
const tests =
  (...all: ReadFacts['tests']) =>
  () => ({ tests: all })
const alsoTested = (test: ReadFacts['tests'][number]) => (ready: ReadFacts) => ({ tests: [...ready.tests, test] })
const flying = (given: Parameters<typeof aircraft>[0]) => () => ({ aircraft: aircraft(given) })
const due = (kind: Parameters<typeof inspection>[0], on: string) => () => {
  const { inspections } = aircraft()
  return {
    aircraft: aircraft({ inspections: inspections.map((one) => (one.kind === kind ? inspection(kind, on) : one)) }),
  }
}
const files = (changed: string, expiresOn: string | null) => () => ({
  aircraft: aircraft({
    files: aircraft().files.flatMap((file) =>
      file.category !== changed ? file : expiresOn ? { ...file, expiresAt: noon(expiresOn) } : [],
    ),
  }),
})
const moved = (application: string, test: string) => ({ applicationAt: noon(application), at: noon(test) })
const failed = (kind: 'practical' | 'knowledge', on: string, code: string | null = null) =>
  knowledge(code, { id: 49, kind, result: 'failed', score: null, takenAt: noon(on) })
const ready = () => ({})

const ofPrivate: Omit<ReadinessCase, 'test'>[] = [
  { says: 'everything', rule: '61.39(a)', given: ready, verdict: 'ready', open: [] },
  {
    says: '17 years old the day after the test',
    rule: '61.103(a)',
    given: born('2009-06-21'),
    verdict: 'not_ready',
    open: ['age missing'],
  },
  {
    says: 'an identification that nobody verified',
    rule: '61.3(a)(2)',
    given: person({ identifications: [{ id: 31, verified: false, expiresAt: null }] }),
    verdict: 'unknown',
    open: ['identity unknown'],
  },
  {
    says: 'no certificate on record',
    rule: '61.103(j)',
    given: person({ pilotCertificate: { value: null, weak: null } }),
    verdict: 'not_ready',
    open: ['certificate_held missing'],
  },
  {
    says: 'a third-class medical of 20 May 2021, taken under 40: to 31 May 2026',
    rule: '61.23(d)(3), 61.39(a)(4)',
    given: () => ({ medicals: [medical({ examinedOn: '2021-05-20' })] }),
    verdict: 'not_ready',
    open: ['medical ends_before'],
  },
  {
    says: 'no knowledge test',
    rule: '61.39(a)(1)',
    given: tests(),
    verdict: 'not_ready',
    open: ['knowledge_test missing'],
  },
  {
    says: 'a knowledge test of 31 May 2024: to 31 May 2026',
    rule: '61.39(a)(1)',
    given: tests(knowledge('PAR', { takenAt: noon('2024-05-31') })),
    verdict: 'not_ready',
    open: ['knowledge_test ends_before'],
  },
  {
    says: '38.2 of 40.0 hours',
    rule: '61.109(a)',
    given: requirements(requirement('PPL.TOTAL', 400, { atTest: 382 })),
    verdict: 'not_ready',
    open: ['experience:PPL.TOTAL missing'],
  },
  {
    says: '3.0 hours of preparation today, of which 2.0 count for a test in July',
    rule: '61.109(a)(4)',
    given: (facts) => ({
      ...requirements(requirement('PPL.TEST_PREP', 30, { atTest: 20, today: 30 }))(facts),
      ...moved('2026-06-30', '2026-07-02'),
    }),
    verdict: 'not_ready',
    open: ['experience:PPL.TEST_PREP ends_before'],
  },
  {
    says: 'training of 31 March for an application in June, signed in April',
    rule: '61.39(a)(6)(i)',
    given: signing(endorsement('A.1', { trainingAt: noon('2026-03-31'), signedAt: noon('2026-04-02') })),
    verdict: 'not_ready',
    open: ['endorsement:A.1 ends_before'],
  },
  {
    says: 'no A.37',
    rule: '61.103(f)',
    given: without('A.37'),
    verdict: 'not_ready',
    open: ['endorsement:A.37 missing'],
  },
  {
    says: '88 percent in the knowledge test, and no A.2',
    rule: '61.39(a)(6)(iii)',
    given: tests(knowledge('PAR', { score: 88 })),
    verdict: 'not_ready',
    open: ['endorsement:A.2 missing'],
  },
  {
    says: 'a practical test that was failed, and no A.77',
    rule: '61.49(a)',
    given: alsoTested(failed('practical', '2026-05-25')),
    verdict: 'not_ready',
    open: ['retest missing'],
  },
  {
    says: 'a record that the student has not countersigned',
    rule: 'school',
    given: record({ uncountersigned: [73] }),
    verdict: 'not_ready',
    open: ['record:countersigned missing'],
  },
  {
    says: 'an annual inspection to 31 May',
    rule: '91.409(a)',
    given: due('annual', '2026-05-31'),
    verdict: 'not_ready',
    open: ['aircraft:annual ends_before'],
  },
]

const ofInstrument: Omit<ReadinessCase, 'test'>[] = [
  { says: 'everything', rule: '61.39(a)', given: ready, verdict: 'ready', open: [] },
  {
    says: 'an identification that ends the day before',
    rule: '61.3(a)(2)',
    given: person({ identifications: [{ id: 31, verified: true, expiresAt: noon('2026-06-19') }] }),
    verdict: 'not_ready',
    open: ['identity ends_before'],
  },
  {
    says: 'a student certificate',
    rule: '61.65(a)(1)',
    given: certificate('student', []),
    verdict: 'not_ready',
    open: ['certificate_held missing'],
  },
  {
    says: 'a medical that the student recorded, without a verified document',
    rule: '61.39(a)(4), S35',
    given: () => ({ medicals: [medical({ selfRecorded: true })] }),
    verdict: 'unknown',
    open: ['medical unknown'],
  },
  {
    says: 'a knowledge test without its code',
    rule: '61.39(a)(1)',
    given: tests(knowledge(null)),
    verdict: 'unknown',
    open: ['knowledge_test unknown'],
  },
  {
    says: 'the knowledge test for private pilots',
    rule: '61.65(a)(7)',
    given: tests(knowledge('PAR')),
    verdict: 'not_ready',
    open: ['knowledge_test missing'],
  },
  {
    says: '38.0 of 40.0 hours of instrument time',
    rule: '61.65(d)(2)',
    given: requirements(requirement('IR.INSTRUMENT', 400, { atTest: 380 })),
    verdict: 'not_ready',
    open: ['experience:IR.INSTRUMENT missing'],
  },
  {
    says: '50.0 hours of cross-country, of which 10.0 were posted by hand',
    rule: '61.65(d)(1), S100',
    given: requirements(requirement('IR.PIC_XC', 500, { proven: 400, weak: 'posted_by_hand' })),
    verdict: 'unknown',
    open: ['experience:IR.PIC_XC unknown'],
  },
  {
    says: 'A.44 of training in April for an application in June and a test in July',
    rule: '61.39(a)(6)(i), AC 61-65K A.44',
    given: (facts) => ({
      ...signing(endorsement('A.44', { trainingAt: noon('2026-04-15'), signedAt: noon('2026-04-15') }))(facts),
      ...moved('2026-06-30', '2026-07-02'),
    }),
    verdict: 'not_ready',
    open: ['endorsement:A.44 ends_before'],
  },
  {
    says: 'no A.43',
    rule: '61.65(a)(6)',
    given: without('A.43'),
    verdict: 'not_ready',
    open: ['endorsement:A.43 missing'],
  },
  {
    says: '84 percent in the knowledge test, A.1 in place of A.44, and no A.2',
    rule: '61.39(a)(6)(iii)',
    given: (facts) => ({
      endorsements: [...without('A.44')(facts).endorsements, endorsement('A.1')],
      ...tests(knowledge('IRA', { score: 84 }))(),
    }),
    verdict: 'not_ready',
    open: ['endorsement:A.2 missing'],
  },
  {
    says: 'a knowledge test that was failed, and no A.77',
    rule: '61.39(a)(1), 61.49(a)',
    given: tests(failed('knowledge', '2026-05-20', 'IRA')),
    verdict: 'not_ready',
    open: ['knowledge_test missing', 'retest missing'],
  },
  {
    says: 'a record that is not signed',
    rule: 'school',
    given: record({ unsigned: [73, 74] }),
    verdict: 'not_ready',
    open: ['record:signed missing'],
  },
  {
    says: 'an altimeter test to 10 June',
    rule: '91.411(a)',
    given: due('altimeter', '2026-06-10'),
    verdict: 'not_ready',
    open: ['aircraft:altimeter ends_before'],
  },
  {
    says: 'a deferral that excludes instrument flight',
    rule: '91.213(d), 61.45(b)',
    given: flying({ deferrals: [{ id: 97, title: 'Pitot heat', excludes: ['ifr'], until: null }] }),
    verdict: 'not_ready',
    open: ['aircraft:deferral missing'],
  },
]

const ofCommercial: Omit<ReadinessCase, 'test'>[] = [
  { says: 'everything', rule: '61.39(a)', given: ready, verdict: 'ready', open: [] },
  {
    says: '18 years old ten days after the test',
    rule: '61.123(a)',
    given: born('2008-06-30'),
    verdict: 'not_ready',
    open: ['age missing'],
  },
  {
    says: 'a certificate that nobody verified',
    rule: '61.123(h), S82',
    given: person({ pilotCertificate: { value: null, weak: 'unverified' } }),
    verdict: 'unknown',
    open: ['certificate_held unknown'],
  },
  {
    says: 'no medical',
    rule: '61.39(a)(4)',
    given: () => ({ medicals: [] }),
    verdict: 'not_ready',
    open: ['medical missing'],
  },
  {
    says: 'a medical that was ended on 10 May',
    rule: '61.53, 61.39(a)(4)',
    given: () => ({ medicals: [medical({ endedOn: '2026-05-10' })] }),
    verdict: 'not_ready',
    open: ['medical ends_before'],
  },
  {
    says: 'a knowledge test of 2 April 2024: to 30 April 2026',
    rule: '61.39(a)(1)',
    given: tests(knowledge('CAX', { takenAt: noon('2024-04-02') })),
    verdict: 'not_ready',
    open: ['knowledge_test ends_before'],
  },
  {
    says: '241.5 of 250.0 hours',
    rule: '61.129(a)',
    given: requirements(requirement('CPL.TOTAL', 2500, { atTest: 2415 })),
    verdict: 'not_ready',
    open: ['experience:CPL.TOTAL missing'],
  },
  {
    says: 'preparation by records that are longer than the meters say',
    rule: '61.129(a)(3)(v), S100',
    given: requirements(requirement('CPL.TEST_PREP', 30, { proven: 15, weak: 'contradicts_meters' })),
    verdict: 'unknown',
    open: ['experience:CPL.TEST_PREP unknown'],
  },
  {
    says: 'A.1 that its signer disowned',
    rule: '61.39(a)(6), S33',
    given: signing(endorsement('A.1', { weak: 'disowned' })),
    verdict: 'unknown',
    open: ['endorsement:A.1 unknown'],
  },
  {
    says: 'A.39 without a proven signature',
    rule: '61.123(e), S33',
    given: signing(endorsement('A.39', { weak: 'unproven' })),
    verdict: 'unknown',
    open: ['endorsement:A.39 unknown'],
  },
  {
    says: 'deficient subjects, reviewed before that knowledge test',
    rule: '61.39(a)(6)(iii)',
    given: (facts) => ({
      ...tests(knowledge('CAX', { score: null, deficiencies: 'Weather charts' }))(),
      ...signing(endorsement('A.2', { signedAt: noon('2026-03-01') }))(facts),
    }),
    verdict: 'not_ready',
    open: ['endorsement:A.2 missing'],
  },
  {
    says: 'a practical test that was failed after A.77 was signed',
    rule: '61.49(a)',
    given: (facts) => ({
      ...alsoTested(failed('practical', '2026-05-25'))(facts),
      ...signing(endorsement('A.77', { signedAt: noon('2026-05-20') }))(facts),
    }),
    verdict: 'not_ready',
    open: ['retest missing'],
  },
  {
    says: 'a final stage check that is not passed',
    rule: 'school; 141.77',
    given: record({ stageCheck: { lessonId: 71, name: 'Final stage check', recordId: null } }),
    verdict: 'not_ready',
    open: ['record:stage_check missing'],
  },
  {
    says: 'a 100-hour inspection that is expected on 12 June',
    rule: '91.409(b)',
    given: due('hundred_hour', '2026-06-12'),
    verdict: 'not_ready',
    open: ['aircraft:hundred_hour ends_before'],
  },
  {
    says: 'an aircraft that is grounded',
    rule: '61.45(a)',
    given: flying({ grounded: 'Open squawk: left brake' }),
    verdict: 'not_ready',
    open: ['aircraft:grounded missing'],
  },
]

const ofInstructor: Omit<ReadinessCase, 'test'>[] = [
  { says: 'everything', rule: '61.39(a)', given: ready, verdict: 'ready', open: [] },
  {
    says: 'a commercial certificate without an instrument rating',
    rule: '61.183(c)(2)',
    given: certificate('commercial', ['ASEL']),
    verdict: 'not_ready',
    open: ['certificate_held missing'],
  },
  {
    says: 'a birth date that nobody verified',
    rule: '61.183(a), S82',
    given: person({ birthDate: { value: null, weak: 'unverified' } }),
    verdict: 'unknown',
    open: ['age unknown'],
  },
  {
    says: 'no knowledge test of the fundamentals',
    rule: '61.183(e)',
    given: tests(knowledge('FIA')),
    verdict: 'not_ready',
    open: ['knowledge_test missing'],
  },
  {
    says: 'the knowledge test of the fundamentals twice, and not the other one',
    rule: '61.183(f)',
    given: tests(knowledge('FOI'), knowledge('FOI', { id: 42, takenAt: noon('2026-04-02') })),
    verdict: 'not_ready',
    open: ['knowledge_test missing'],
  },
  {
    says: 'BasicMed with a course of 10 May 2024: to 31 May 2026',
    rule: '61.23(c)(3), 61.39(a)(4)',
    given: () => ({ medicals: [medical({ class: 'basic', examinedOn: '2024-01-15', courseOn: '2024-05-10' })] }),
    verdict: 'not_ready',
    open: ['medical ends_before'],
  },
  {
    says: '12.0 of 15.0 hours in command in the class',
    rule: '61.183(j)',
    given: requirements(requirement('CFI.PIC_CLASS', 150, { atTest: 120 })),
    verdict: 'not_ready',
    open: ['experience:CFI.PIC_CLASS missing'],
  },
  {
    says: 'a version with requirements of the school alone',
    rule: '61.183, S100',
    given: ({ experience }) => ({
      experience: { ...experience, requirements: [requirement('FLIGHTS', 20, { source: 'school', inHours: false })] },
    }),
    verdict: 'unknown',
    open: ['experience unknown'],
  },
  {
    says: 'A.1 that was replaced',
    rule: '61.39(a)(6), S100',
    given: signing(endorsement('A.1', { weak: 'superseded' })),
    verdict: 'unknown',
    open: ['endorsement:A.1 unknown'],
  },
  {
    says: 'A.47 for another course',
    rule: '61.183(g)',
    given: signing(endorsement('A.47', { ofOtherCourse: true })),
    verdict: 'not_ready',
    open: ['endorsement:A.47 missing'],
  },
  {
    says: 'no A.49',
    rule: '61.183(i)(1)',
    given: without('A.49'),
    verdict: 'not_ready',
    open: ['endorsement:A.49 missing'],
  },
  {
    says: '90 percent in one of the knowledge tests, and no A.2',
    rule: '61.39(a)(6)(iii)',
    given: tests(knowledge('FOI'), knowledge('FIA', { id: 42, score: 90 })),
    verdict: 'not_ready',
    open: ['endorsement:A.2 missing'],
  },
  {
    says: 'a registration to 15 June',
    rule: '91.203(a)(2)',
    given: files('registration', '2026-06-15'),
    verdict: 'not_ready',
    open: ['aircraft:registration ends_before'],
  },
  {
    says: 'no aircraft planned',
    rule: '61.45(a)',
    given: () => ({ aircraft: null as never }),
    verdict: 'unknown',
    open: ['aircraft unknown'],
  },
  {
    says: 'an aircraft that is not booked for the test',
    rule: 'school',
    given: flying({ booking: null }),
    verdict: 'not_ready',
    open: ['aircraft:booked missing'],
  },
]

/** The sixty cases: four tests, each ready or with one of fourteen defects. */
export const cases: readonly ReadinessCase[] = [
  ...ofPrivate.map((one) => ({ test: 'private', ...one }) as const),
  ...ofInstrument.map((one) => ({ test: 'instrument', ...one }) as const),
  ...ofCommercial.map((one) => ({ test: 'commercial', ...one }) as const),
  ...ofInstructor.map((one) => ({ test: 'cfi', ...one }) as const),
]

/** Returns the facts of a case. */
export function factsOf({ test, given }: ReadinessCase): ReadFacts {
  const facts = readyFor(test)
  return { ...facts, ...given(facts) }
}
