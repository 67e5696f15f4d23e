import { type Draft, unreadable } from './draft.rules.ts'
import type { ItemEvidence } from './readiness.types.ts'
import type { ReadinessFacts } from './readiness-facts.types.ts'

/** Returns the items about the training record: signatures, the last stage check, and a required end-of-course test. */
export function recordDrafts({ record }: ReadinessFacts): Draft[] {
  if (record === 'failed') return unreadable(['record:signed', 'record:countersigned'])
  const { unsigned, uncountersigned, stageCheck, finalTest } = record
  return [
    signatureDraft('record:signed', 'instructor', unsigned),
    signatureDraft('record:countersigned', 'student', uncountersigned),
    ...(stageCheck ? [stageDraft(stageCheck)] : []),
    ...(finalTest.owed ? [finalDraft(finalTest.passedId)] : []),
  ]
}

const words = {
  'record:signed': { met: 'All records are signed.', open: 'not signed by the instructor', action: 'sign_records' },
  'record:countersigned': {
    met: 'The student has countersigned all records.',
    open: 'not countersigned by the student',
    action: 'countersign_records',
  },
} as const

function signatureDraft(key: keyof typeof words, owner: 'instructor' | 'student', open: readonly number[]): Draft {
  const { met, open: lacking, action } = words[key]
  if (open.length === 0) return { key, status: 'met', message: met, owner }
  const evidence = open.map((id): ItemEvidence => ({ kind: 'training_record', id }))
  const count = open.length === 1 ? '1 record is' : `${open.length} records are`
  return { key, status: 'missing', message: `${count} ${lacking}.`, owner, evidence, needs: { action } }
}

function stageDraft({ lessonId, name, recordId }: { lessonId: number; name: string; recordId: number | null }): Draft {
  const common = { key: 'record:stage_check', owner: 'instructor' } as const
  if (recordId !== null) {
    return {
      ...common,
      status: 'met',
      message: `${name}: passed.`,
      evidence: [{ kind: 'training_record', id: recordId }],
    }
  }
  const needs = { action: 'pass_stage_check', lessonIds: [lessonId] } as const
  return {
    ...common,
    status: 'missing',
    message: `${name}: not passed and signed.`,
    needs: { ...needs, lessonIds: [lessonId] },
  }
}

function finalDraft(passedId: number | null): Draft {
  const common = { key: 'record:final_test', owner: 'instructor' } as const
  if (passedId === null) {
    const message = 'The end-of-course test is not passed.'
    return { ...common, status: 'missing', message, needs: { action: 'pass_final_test' } }
  }
  const evidence = [{ kind: 'training_test', id: passedId } as const]
  return { ...common, status: 'met', message: 'The end-of-course test is passed.', evidence }
}
