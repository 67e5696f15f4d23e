import type { Tenths } from '../../platform/kernel/units.ts'

/** The practical tests whose requirements are known. */
export const judgedTests = ['private', 'instrument', 'commercial', 'cfi'] as const
export type JudgedTest = (typeof judgedTests)[number]

export const verdicts = ['ready', 'not_ready', 'unknown'] as const
export type Verdict = (typeof verdicts)[number]

export const itemGroups = ['person', 'experience', 'endorsements', 'tests', 'record', 'aircraft'] as const
export type ItemGroup = (typeof itemGroups)[number]

/** `ends_before`: it counts today, or did, and ends before the day on which it is needed. */
export const itemStatuses = ['met', 'missing', 'ends_before', 'unknown'] as const
export type ItemStatus = (typeof itemStatuses)[number]

/** The items about the person whose words, evidence and days some readers do not see. */
export const privateItems = ['age', 'identity', 'medical'] as const
export type PrivateItem = (typeof privateItems)[number]

/** Who acts next on an item. */
export const itemOwners = ['student', 'instructor', 'school'] as const
export type ItemOwner = (typeof itemOwners)[number]

export interface ItemEvidence {
  kind:
    | 'profile'
    | 'document'
    | 'currency_record'
    | 'training_test'
    | 'credit'
    | 'certificate'
    | 'endorsement'
    | 'training_record'
    | 'reminder'
    | 'squawk'
    | 'resource'
    | 'resource_file'
    | 'reservation'
  id: number
}

export const neededActions = [
  'verify_profile',
  'verify_document',
  'add_document',
  'record_certificate',
  'record_medical',
  'record_test',
  'sign_endorsement',
  'confirm_endorsement',
  'fly_lessons',
  'confirm_credit',
  'add_requirements',
  'graduate',
  'sign_records',
  'countersign_records',
  'pass_stage_check',
  'pass_final_test',
  'plan_aircraft',
  'release_aircraft',
  'add_maintenance_item',
  'complete_maintenance',
  'add_aircraft_file',
  'resolve_squawk',
  'book_aircraft',
  'wait',
  'ask_school',
] as const

/** What settles an item: hours in tenths, or a count; the lessons that are left; the code of an endorsement or a test. */
export interface ItemNeed {
  action: (typeof neededActions)[number]
  deciHours?: Tenths
  count?: number
  lessonIds?: number[]
  code?: string
}

/** Why an item is unknown. */
export const unknownReasons = [
  'not_on_record',
  'unverified',
  'self_recorded',
  'unproven',
  'disowned',
  'superseded',
  'posted_by_hand',
  'without_proof',
  'contradicts_meters',
  'no_code',
  'no_reading',
  'not_planned',
  'not_covered',
  'rule_unverified',
  'source_failed',
] as const
export type UnknownReason = (typeof unknownReasons)[number]

/** One thing that the test asks for, with its rule and the evidence by id. */
export interface ReadinessItem {
  key: string
  group: ItemGroup
  status: ItemStatus
  message: string
  rule: string
  evidence: ItemEvidence[]
  /** Only of an item that is `unknown`. */
  why?: UnknownReason
  needs?: ItemNeed
  owner: ItemOwner
  /** The instant at which the item is judged: the application or the test. */
  dueAt: Date
  /** Whether it bears on the verdict: a requirement of the school's own does not. */
  counts: boolean
}

/** The verdict at the test. `open` is the number of items that count and are not met; 0 when the verdict is `ready`. */
export interface Readiness {
  verdict: Verdict
  at: Date
  applicationAt: Date
  open: number
  items: ReadinessItem[]
}
