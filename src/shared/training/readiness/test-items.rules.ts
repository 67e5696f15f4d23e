import { knowledgeGoodUntil } from '../knowledge-tests/training-test.rules.ts'
import {
  type Draft,
  daysOf,
  happenedBy,
  inWords,
  judgePapers,
  type Paper,
  type PaperVerdict,
  unreadable,
} from './draft.rules.ts'
import type { JudgedTest } from './readiness.types.ts'
import type { ReadinessFacts, TestFact } from './readiness-facts.types.ts'

/** The codes of the knowledge tests that a practical test asks for: 14 CFR 61.39(a)(1), 61.183(e) and (f). */
export const knowledgeCodes: Readonly<Record<JudgedTest, readonly string[]>> = {
  private: ['PAR'],
  instrument: ['IRA'],
  commercial: ['CAX'],
  cfi: ['FOI', 'FIA'],
}

interface TestPaper extends Paper {
  test: TestFact
}

/** Returns the codes that are asked of the student: an instructor has no second test of the fundamentals, 14 CFR 61.183(e)(1). */
function codesFor({ sought, person }: ReadinessFacts): readonly string[] {
  if (!sought) return []
  const instructs = person !== 'failed' && person.instructorCertificate.value && !person.instructorCertificate.weak
  return knowledgeCodes[sought].filter((code) => code !== 'FOI' || !instructs)
}

/** Returns the verdict on each knowledge test that is asked for. A passed test of the course without a code is unknown. */
export function judgeKnowledge(
  facts: ReadinessFacts,
  tests: readonly TestFact[],
): { code: string; verdict: PaperVerdict<TestPaper> }[] {
  const { zone } = facts
  const passed = tests.flatMap((test): TestPaper[] => {
    const lastDay = knowledgeGoodUntil({ ...test, airlineTransport: false }, zone)
    if (lastDay === null || (test.code === null && !test.ofCourse)) return []
    if (!happenedBy(test.takenAt, daysOf(facts).test, zone)) return []
    const weak = test.selfRecorded ? 'self_recorded' : test.code === null ? 'no_code' : null
    return [{ test, evidence: { kind: 'training_test', id: test.id }, weak, lastDay }]
  })
  return codesFor(facts).map((code) => {
    const papers = passed.filter(({ test }) => (test.code ?? code) === code)
    return { code, verdict: judgePapers(papers, daysOf(facts).test) }
  })
}

/** Returns the items about tests: the knowledge tests, and the training after a failed test. */
export function testDrafts(facts: ReadinessFacts): Draft[] {
  const { tests, sought } = facts
  if (!sought) return []
  if (tests === 'failed') return unreadable(['knowledge_test', 'retest'])
  return [knowledgeDraft(facts, tests), ...retestDraft(facts, tests)]
}

const worstFirst = ['missing', 'ends_before', 'unknown', 'met'] as const

function knowledgeDraft(facts: ReadinessFacts, tests: readonly TestFact[]): Draft {
  const judged = judgeKnowledge(facts, tests).sort(
    (a, b) => worstFirst.indexOf(a.verdict.status) - worstFirst.indexOf(b.verdict.status),
  )
  const message = judged.map(({ code, verdict }) => knowledgeInWords(code, verdict)).join(' ')
  const evidence = judged.flatMap(({ verdict }) => (verdict.paper ? [verdict.paper.evidence] : []))
  const [worst] = judged
  const why = worst?.verdict.status === 'unknown' ? worst.verdict.why : undefined
  return {
    key: 'knowledge_test',
    status: worst?.verdict.status ?? 'met',
    message,
    evidence,
    ...(why && { why }),
    owner: why ? 'instructor' : 'student',
    ...(worst && { needs: { action: 'record_test', code: worst.code } }),
  }
}

function knowledgeInWords(code: string, verdict: PaperVerdict<TestPaper>): string {
  switch (verdict.status) {
    case 'met':
      return `${code} is passed and good to ${verdict.paper.lastDay}.`
    case 'unknown':
      return `${code}: ${inWords(verdict.why)}.`
    case 'ends_before':
      return `${code} is good to ${verdict.lastDay}.`
    default:
      return code === 'FOI'
        ? 'No passed knowledge test FOI is on record; ground instructors and teachers need none.'
        : `No passed knowledge test ${code} is on record.`
  }
}

/**
 * Returns the failed tests that ask for the training of 14 CFR 61.49: the practical test of the course and the knowledge tests
 * that it asks for, unless a later one of the same kind was passed. A failed practical test of no course could be of any kind.
 */
function failuresOf(facts: ReadinessFacts, tests: readonly TestFact[]): { test: TestFact; certain: boolean }[] {
  const codes = facts.sought ? knowledgeCodes[facts.sought] : []
  const isOfKind = ({ kind, code, ofCourse }: TestFact) =>
    kind === 'practical'
      ? ofCourse !== false
      : kind === 'knowledge' && (code === null ? ofCourse : codes.includes(code))
  const passedLater = (failed: TestFact) =>
    tests.some(
      ({ kind, code, ofCourse, result, takenAt }) =>
        result === 'passed' &&
        takenAt > failed.takenAt &&
        kind === failed.kind &&
        (kind === 'practical' ? ofCourse === failed.ofCourse : failed.code === null || code === failed.code),
    )
  return tests
    .filter((test) => test.result === 'failed' && isOfKind(test) && !passedLater(test))
    .map((test) => ({ test, certain: test.ofCourse !== null || test.code !== null }))
}

function retestDraft(facts: ReadinessFacts, tests: readonly TestFact[]): Draft[] {
  const failures = failuresOf(facts, tests)
  const { endorsements } = facts
  if (failures.length === 0) return []
  if (endorsements === 'failed') return unreadable(['retest'])
  const latest = failures.reduce((a, b) => (b.test.takenAt > a.test.takenAt ? b : a))
  const papers = endorsements
    .filter(({ code, signedAt }) => code === 'A.77' && signedAt >= latest.test.takenAt)
    .filter(({ signedAt }) => happenedBy(signedAt, daysOf(facts).test, facts.zone))
    .map(({ id, weak }) => ({ evidence: { kind: 'endorsement', id } as const, weak, lastDay: null }))
  const verdict = judgePapers(papers, daysOf(facts).test)
  const failed = { kind: 'training_test', id: latest.test.id } as const
  const evidence = verdict.paper ? [failed, verdict.paper.evidence] : [failed]
  const common = { key: 'retest', evidence, owner: 'instructor' } as const
  if (verdict.status === 'met') return [{ ...common, status: 'met', message: 'A.77 was signed after the failed test.' }]
  if (verdict.status === 'unknown') {
    const message = `A.77: ${inWords(verdict.why)}.`
    const needs = { action: 'confirm_endorsement', code: 'A.77' } as const
    return [{ ...common, status: 'unknown', message, why: verdict.why, needs }]
  }
  const needs = { action: 'sign_endorsement', code: 'A.77' } as const
  if (!failures.some(({ certain }) => certain)) {
    const message = 'A failed practical test belongs to no course: whether it was this one is not on record.'
    return [{ ...common, status: 'unknown', message, why: 'not_on_record', needs }]
  }
  return [{ ...common, status: 'missing', message: 'A test was failed, and A.77 was not signed after it.', needs }]
}
