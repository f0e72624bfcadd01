// A control with its label, its help and the server's errors at it.
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

import { t } from './i18n';

interface FieldProps {
  label: string;
  help?: string;
  errors?: string[];
  required?: boolean;
  children: (ids: { id: string; describedby?: string; invalid: boolean }) => ComponentChildren;
  inline?: boolean;
  group?: boolean; // several controls, named together
}
export function Field({ label, help, errors, required, children, inline, group }: FieldProps) {
  const id = useId();
  const invalid = !!errors?.length;
  const describedby = [help && `${id}-help`, invalid && `${id}-error`].filter(Boolean).join(' ') || undefined;
  const name = (
    <>
      {label}
      {required && <abbr title={t('required')}>*</abbr>}
    </>
  );
  return (
    <div
      class={`svc-field ${inline ? 'svc-inline' : ''} ${invalid ? 'svc-invalid' : ''}`}
      role={group ? 'group' : undefined}
      aria-labelledby={group ? `${id}-name` : undefined}
    >
      {group ? (
        <span class="svc-label" id={`${id}-name`}>
          {name}
        </span>
      ) : (
        <label for={id}>{name}</label>
      )}
      {children({ id, describedby, invalid })}
      {help && <small id={`${id}-help`}>{help}</small>}
      {invalid && (
        <p class="svc-error" id={`${id}-error`}>
          {errors!.join(' ')}
        </p>
      )}
    </div>
  );
}
