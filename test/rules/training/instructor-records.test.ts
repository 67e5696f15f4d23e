import { describe, expect, test } from 'vitest'
import {
  findEndorsementTemplate,
  templatesOf,
} from '../../../src/shared/training/endorsements/endorsement-templates.ts'
import { instructorRecordKind } from '../../../src/shared/training/endorsements/instructor-records.rules.ts'

const codesOf = (kind: string) =>
  templatesOf('AC 61-65K').flatMap((template) => (instructorRecordKind(template) === kind ? [template.code] : []))

describe('the records of an instructor (14 CFR 61.189(b))', () => {
  test('an instructor keeps records of endorsements for solo flight (14 CFR 61.189(b)(1))', () => {
    expect(codesOf('solo')).toEqual([
      ...[
        'A.3',
        'A.4',
        'A.5',
        'A.6',
        'A.7',
        'A.8',
        'A.9',
        'A.10',
        'A.11',
        'A.12',
        'A.13',
        'A.15',
        'A.16',
        'A.34',
        'A.61',
        'A.65',
        'A.76',
      ],
    ])
  })

  test.each([
    ['A.1', 'practical_test'],
    ['A.2', 'practical_test'],
    ['A.77', 'practical_test'],
    ['A.36', 'knowledge_test'],
    ['A.37', 'practical_test'],
    ['A.42', 'knowledge_test'],
    ['A.44', 'practical_test'],
    ['A.18', 'practical_test'],
    ['A.14', null],
    ['A.40', null],
  ])('the records of an instructor show %s as %s (61.189(b)(2))', (code, kind) => {
    expect(instructorRecordKind(findEndorsementTemplate(code)!)).toBe(kind)
  })
})
