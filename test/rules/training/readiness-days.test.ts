import { describe, expect, test } from 'vitest'
import { judgeReadiness } from '../../../src/shared/training/readiness/readiness.rules.ts'
import { aircraft, endorsement, knowledge, medical, noon, readyFor, TEST } from './readiness-facts.ts'

const ready = readyFor('private')
const hoursFromTest = (hours: number) => new Date(noon(TEST).getTime() + hours * 3_600_000)
const statusOf = (facts: Parameters<typeof judgeReadiness>[0], key: string) =>
  judgeReadiness(facts).items.find((item) => item.key === key)?.status
const withEndorsement = (given: Parameters<typeof endorsement>[1], code = 'A.37') => ({
  ...ready,
  endorsements: [endorsement(code, given), ...ready.endorsements.filter((one) => one.code !== code)],
})

describe('papers that end on the day of the test (§28.2)', () => {
  test.each([
    [-1, 'ends_before'],
    [0, 'ends_before'],
    [1, 'met'],
  ] as const)('%i hours after it begins count at its instant: %s', (hours, status) => {
    const expiresAt = hoursFromTest(hours)
    expect(statusOf(withEndorsement({ expiresAt }), 'endorsement:A.37')).toBe(status)
    const files = aircraft().files.map((file) => (file.category === 'poh' ? { ...file, expiresAt } : file))
    expect(statusOf({ ...ready, aircraft: aircraft({ files }) }, 'aircraft:poh')).toBe(status)
    const identifications = [{ id: 31, verified: true, expiresAt }]
    expect(statusOf({ ...ready, person: { ...ready.person, identifications } }, 'identity')).toBe(status)
  })

  test('count to its last instant, and A.1 to that of the application', () => {
    // Midnight in Los Angeles ends the day before.
    expect(statusOf(withEndorsement({ expiresAt: new Date('2026-06-20T07:00:00Z') }), 'endorsement:A.37')).toBe(
      'ends_before',
    )
    const applied = (hours: number) =>
      statusOf(
        withEndorsement({ expiresAt: new Date(noon('2026-06-18').getTime() + hours * 3_600_000) }, 'A.1'),
        'endorsement:A.1',
      )
    expect([applied(-1), applied(1)]).toEqual(['ends_before', 'met'])
  })
})

describe('what happened after the test (§28.2)', () => {
  const after = noon('2026-06-21')
  const past = { ...ready, now: noon('2026-06-25') }

  test('did not make the student ready for it', () => {
    const late = (code: string) => ({ ...past, endorsements: withEndorsement({ signedAt: after }, code).endorsements })
    expect(statusOf(late('A.37'), 'endorsement:A.37')).toBe('missing')
    expect(statusOf(late('A.1'), 'endorsement:A.1')).toBe('missing')
    expect(statusOf({ ...past, medicals: [medical({ examinedOn: '2026-06-21' })] }, 'medical')).toBe('missing')
    expect(statusOf({ ...past, tests: [knowledge('PAR', { takenAt: after })] }, 'knowledge_test')).toBe('missing')
    const failed = knowledge(null, { id: 49, kind: 'practical', result: 'failed', takenAt: noon('2026-05-22') })
    const endorsements = [...past.endorsements, endorsement('A.77', { signedAt: after })]
    expect(statusOf({ ...past, tests: [...past.tests, failed], endorsements }, 'retest')).toBe('missing')
  })

  test('is no training before the application, though it is before the test', () => {
    const between = (given: Parameters<typeof endorsement>[1]) =>
      statusOf({ ...withEndorsement(given, 'A.1'), now: noon(TEST) }, 'endorsement:A.1')
    expect(between({ signedAt: noon('2026-06-19') })).toBe('missing')
    expect(between({ signedAt: noon('2026-06-19'), trainingAt: noon('2026-06-18') })).toBe('met')
  })
})
