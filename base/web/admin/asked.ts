// Fields of the booking form, and which of them are asked by the answers so far (show_if), as the server decides it.
export interface FormField {
  id: string;
  type: string;
  label: string;
  enabled: boolean;
  required: boolean;
  locked?: boolean;
  order?: number;
  width?: string;
  help?: string;
  placeholder?: string;
  content?: string;
  applies_to?: string;
  pattern?: string;
  min?: number | string;
  max?: number | string;
  accepts?: string[];
  after_booking?: boolean; // without it: files alone
  options?: { value: string; label: string }[];
  show_if?: { field: string; section?: string; operator: string; values?: string[] } | null;
}
export interface FormSection {
  enabled?: boolean;
  title?: string;
  description?: string;
  fields?: FormField[];
}
export type Answers = Record<string, any>;

const yes = (answer: string) => ['1', 'true', 'yes', 'on'].includes(answer);

// `contact`: the contact's fields and answers, which the other sections may follow.
export function asks(
  field: FormField,
  fields: FormField[],
  answers: Answers,
  contact?: { fields: FormField[]; answers: Answers },
  depth = 0,
): boolean {
  const rule = field.show_if;
  if (!rule) return true;
  const elsewhere = rule.section === 'contact_form' && contact;
  const among = elsewhere ? contact.fields : fields;
  const given = elsewhere ? contact.answers : answers;
  const named = among.find((one) => one.id === rule.field);
  if (!named?.enabled || depth > among.length) return false;
  if (!asks(named, among, given, elsewhere ? undefined : contact, depth + 1)) return false;
  const answer = String(given[named.id] ?? '').trim();
  if (rule.operator === 'is_filled') return answer !== '';
  if (rule.operator === 'is_checked') return yes(answer);
  const parts = named.type === 'checkboxes' ? answer.split(',') : [answer];
  const any = parts.some((part) =>
    (rule.values ?? []).some((value) => part.trim() !== '' && value.toLowerCase() === part.trim().toLowerCase()),
  );
  return rule.operator === 'is_not' ? !any : any;
}
