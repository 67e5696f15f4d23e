import { endorsementTemplates } from './endorsement-template.ts'

/** Endorsements for practical tests of any certificate. */
export const practicalTests = endorsementTemplates([
  {
    code: 'A.1',
    title: 'Prerequisites for a practical test',
    rules: ['14 CFR 61.39(a)(6)(i)', '14 CFR 61.39(a)(6)(ii)'],
    subject: 'practical_test',
    signer: 'flight_instructor',
    validity: { calendarMonths: 2 },
    countsFrom: 'training',
    parameters: ['test', 'certificate'],
    previousCode: 'A.1',
    text: 'Within the 2 calendar months before the month of application, {{student}} has received and logged training for the {{test}} practical test for the {{certificate}} from me. I find them prepared for that test.',
  },
  {
    code: 'A.2',
    title: 'Review of deficiencies on the knowledge test',
    rules: ['14 CFR 61.39(a)(6)(iii)'],
    subject: 'practical_test',
    signer: 'flight_instructor',
    parameters: ['test'],
    previousCode: 'A.2',
    text: '{{student}} has shown me satisfactory knowledge of the subjects in which the {{test}} knowledge test found them deficient.',
  },
  {
    code: 'A.77',
    title: 'Retest after failing a knowledge or practical test',
    rules: ['14 CFR 61.49'],
    subject: 'practical_test',
    signer: 'flight_instructor',
    parameters: ['test', 'trainingKind'],
    previousCode: 'A.73',
    text: '{{student}} has received the additional {{trainingKind}} training of 14 CFR 61.49 in the subjects that they failed. I find them proficient to pass the {{test}} test.',
  },
])
