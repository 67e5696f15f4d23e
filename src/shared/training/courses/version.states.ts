import type { Conflicting } from '../transition.rules.ts'

export const versionStates = ['draft', 'published', 'retired'] as const
export type VersionState = (typeof versionStates)[number]

/**
 * What happens to a version: its syllabus is edited or published, it is closed to new students or opened again, or a
 * student enrolls on it.
 */
export type VersionTrigger = 'edit' | 'publish' | 'retire' | 'unretire' | 'enrol'

const frozen: Conflicting = {
  code: 'VERSION_NOT_DRAFT',
  message: 'The version is published: it can no longer change. Copy it to a new version instead.',
}
const draft: Conflicting = { code: 'VERSION_IS_DRAFT', message: 'The version is a draft: publish it first.' }

/** The state that each trigger leads to, or why it is rejected. Implements interface §Syllabus version. */
export const versionTransitions: Readonly<Record<VersionState, Record<VersionTrigger, VersionState | Conflicting>>> = {
  draft: { edit: 'draft', publish: 'published', retire: draft, unretire: draft, enrol: draft },
  published: {
    edit: frozen,
    publish: { code: 'VERSION_NOT_DRAFT', message: 'The version is published already.' },
    retire: 'retired',
    unretire: 'published',
    enrol: 'published',
  },
  retired: {
    edit: frozen,
    publish: { code: 'VERSION_NOT_DRAFT', message: 'The version was published already.' },
    retire: 'retired',
    unretire: 'published',
    enrol: { code: 'VERSION_RETIRED', message: 'The version is retired: it takes no new students.' },
  },
}
