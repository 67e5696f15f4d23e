import { endorsementTemplates } from './endorsement-template.ts'

/** Endorsements of flight reviews and proficiency checks. */
export const reviews = endorsementTemplates([
  {
    code: 'A.69',
    title: 'Completion of a flight review',
    rules: ['14 CFR 61.56(a)', '14 CFR 61.56(c)'],
    subject: 'review',
    signer: 'flight_instructor',
    validity: { calendarMonths: 24 },
    countsFrom: 'training',
    parameters: ['certificateGrade', 'certificateNumber', 'date', 'makeAndModel'],
    previousCode: 'A.65',
    renews: 'flight_review',
    text: '{{student}}, holder of {{certificateGrade}} certificate {{certificateNumber}}, has completed the flight review of 14 CFR 61.56(a) with me on {{date}} in a {{makeAndModel}}.',
  },
  {
    code: 'A.70',
    title: 'Completion of a phase of WINGS',
    rules: ['14 CFR 61.56(e)'],
    subject: 'review',
    signer: 'flight_instructor',
    validity: { calendarMonths: 24 },
    countsFrom: 'training',
    parameters: ['certificateGrade', 'certificateNumber', 'date', 'phase'],
    previousCode: 'A.66',
    renews: 'flight_review',
    text: '{{student}}, holder of {{certificateGrade}} certificate {{certificateNumber}}, has completed a phase of a pilot proficiency program sponsored by the FAA on {{date}}: {{phase}}.',
  },
  {
    code: 'A.71',
    title: 'Completion of an instrument proficiency check',
    rules: ['14 CFR 61.57(d)'],
    subject: 'review',
    signer: 'instrument_instructor',
    validity: { calendarMonths: 6 },
    countsFrom: 'training',
    parameters: ['certificateGrade', 'certificateNumber', 'date', 'makeAndModel'],
    previousCode: 'A.67',
    renews: 'instrument',
    text: '{{student}}, holder of {{certificateGrade}} certificate {{certificateNumber}}, has completed the instrument proficiency check of 14 CFR 61.57(d) with me on {{date}} in a {{makeAndModel}}.',
  },
])
