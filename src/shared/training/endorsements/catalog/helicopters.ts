import { type EndorsementTemplate, template } from './endorsement-template.ts'

/** Endorsements for Robinson helicopters under SFAR 73. */
export const helicopters: readonly EndorsementTemplate[] = [
  template(
    'A.56',
    'Robinson R-22 or R-44 awareness training',
    'SFAR 73, paragraph 2(a)',
    '{{student}} has received the awareness training of SFAR 73, paragraph 2(a)(3), for the Robinson {{makeAndModel}} from me.',
  ),
  template(
    'A.57',
    'Robinson R-22: solo flight',
    'SFAR 73, paragraph 2(b)(3)',
    '{{student}} meets the experience of SFAR 73, paragraph 2(b)(3), and has received its training in the Robinson R-22. I find them proficient to fly it solo.',
  ),
  template(
    'A.58',
    'Robinson R-22: pilot in command',
    'SFAR 73, paragraph 2(b)(1)(ii)',
    '{{student}} has received the training of SFAR 73, paragraph 2(b)(1)(ii), in the Robinson R-22. I find them proficient to act as pilot in command of it. A flight review in an R-22 is due by {{date}}.',
  ),
  template(
    'A.59',
    'Robinson R-22: flight instructor',
    'SFAR 73, paragraph 2(b)(5)(iv)',
    '{{student}}, holder of instructor certificate {{certificateNumber}}, meets the experience and flight training of SFAR 73, paragraph 2(b)(5), for the Robinson R-22, and has shown the ability to instruct in it.',
  ),
  template(
    'A.60',
    'Robinson R-22: flight review',
    'SFAR 73, paragraphs 2(c)(1) and (3)',
    '{{student}} has completed the flight review of 14 CFR 61.56 and SFAR 73, paragraphs 2(c)(1) and (3), in a Robinson R-22 on {{date}}.',
  ),
  template(
    'A.61',
    'Robinson R-44: solo flight',
    'SFAR 73, paragraph 2(b)(4)',
    '{{student}} meets the experience of SFAR 73, paragraph 2(b)(4), and has received its training in the Robinson R-44. I find them proficient to fly it solo.',
  ),
  template(
    'A.62',
    'Robinson R-44: pilot in command',
    'SFAR 73, paragraph 2(b)(2)(ii)',
    '{{student}} has received the training of SFAR 73, paragraph 2(b)(2)(ii), in the Robinson R-44. I find them proficient to act as pilot in command of it. A flight review in an R-44 is due by {{date}}.',
  ),
  template(
    'A.63',
    'Robinson R-44: flight instructor',
    'SFAR 73, paragraph 2(b)(5)(iv)',
    '{{student}}, holder of instructor certificate {{certificateNumber}}, meets the experience and flight training of SFAR 73, paragraph 2(b)(5), for the Robinson R-44, and has shown the ability to instruct in it.',
  ),
  template(
    'A.64',
    'Robinson R-44: flight review',
    'SFAR 73, paragraphs 2(c)(2) and (3)',
    '{{student}} has completed the flight review of 14 CFR 61.56 and SFAR 73, paragraphs 2(c)(2) and (3), in a Robinson R-44 on {{date}}.',
  ),
]
