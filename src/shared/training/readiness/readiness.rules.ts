import { aircraftDrafts } from './aircraft-items.rules.ts'
import { type Citations, citations } from './citations.rules.ts'
import { type Draft, itemOf } from './draft.rules.ts'
import { endorsementDrafts } from './endorsement-items.rules.ts'
import { experienceDrafts } from './experience.rules.ts'
import { personDrafts } from './person.rules.ts'
import type { Readiness, ReadinessItem, Verdict } from './readiness.types.ts'
import type { ReadinessFacts } from './readiness-facts.types.ts'
import { recordDrafts } from './record-items.rules.ts'
import { testDrafts } from './test-items.rules.ts'

/**
 * Judges whether a student is ready for a practical test: at the test, and at the application where the regulation says so. Each item
 * has its rule, its evidence by id, what it needs and who acts next. Evidence that does not count, a source that could not be read and a test
 * whose requirements are not known make an item `unknown`, never `met`. Implements interface §28.2.
 */
export function judgeReadiness(facts: ReadinessFacts, all: Citations = citations): Readiness {
  const judged = facts.covered ? facts : { ...facts, sought: null }
  const drafts = [
    ...(judged.sought ? [] : [notCovered]),
    ...personDrafts(judged),
    ...testDrafts(judged),
    ...experienceDrafts(judged),
    ...endorsementDrafts(judged),
    ...recordDrafts(judged),
    ...aircraftDrafts(judged),
  ]
  const items = drafts.map((draft) => itemOf(draft, judged, all))
  const { at, applicationAt } = facts
  return { verdict: verdictOf(items), at, applicationAt, open: openOf(items), items }
}

const notCovered: Draft = {
  key: 'test_rules',
  status: 'unknown',
  message: 'The requirements are known here for private, instrument, commercial and instructor tests in airplanes.',
  why: 'not_covered',
  owner: 'school',
  needs: { action: 'ask_school' },
}

/** Returns `not_ready` when an item that counts is missing or ends before, else `unknown` when one is. */
export function verdictOf(items: readonly Pick<ReadinessItem, 'status' | 'counts'>[]): Verdict {
  const statuses = items.filter(({ counts }) => counts).map(({ status }) => status)
  if (statuses.some((status) => status === 'missing' || status === 'ends_before')) return 'not_ready'
  return statuses.includes('unknown') ? 'unknown' : 'ready'
}

function openOf(items: readonly ReadinessItem[]): number {
  return items.filter(({ status, counts }) => counts && status !== 'met').length
}
