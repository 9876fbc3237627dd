'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { addNoteInput, editNoteInput } from '@/server/domain/customers/schemas';
import { TextAreaField } from '../../form/fields';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Dialog } from '../../ui/dialog';
import { iconButtonLook } from '../../ui/icon-button';
import { Section } from '../../ui/section';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Waiting } from '../state/loaded';
import { useChange } from '../state/use-change';
import type { Note } from './types';

type Task = { kind: 'add' } | { kind: 'edit' | 'remove'; note: Note };

/** Notes about a customer, by staff for staff. */
export function Notes({ customerId }: { customerId: string }) {
  const t = useTranslations('counter');
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.customers.notes.queryOptions({ customerId }));
  const [task, setTask] = useState<Task | null>(null);
  const close = () => setTask(null);
  const { toast, settle } = useChange('customers');
  const remove = useMutation(
    trpc.customers.removeNote.mutationOptions({ ...settle, onSuccess: () => toast.done(t('noteRemoved')) }),
  );
  const removing = task?.kind === 'remove' ? task.note : null;
  return (
    <Section
      title={t('notes')}
      description={t('notesText')}
      actions={
        <Button variant="secondary" size="small" onClick={() => setTask({ kind: 'add' })}>
          {t('addNote')}
        </Button>
      }
    >
      {!data ? (
        <Waiting error={error} refetch={refetch} />
      ) : data.length === 0 ? (
        <p className="text-sm text-muted">{t('noNotes')}</p>
      ) : (
        <ul className="-mb-2 text-sm">
          {data.map((note) => (
            <NoteItem key={note.noteId} note={note} onChoose={setTask} />
          ))}
        </ul>
      )}
      {task?.kind === 'add' ? <AddNoteDialog customerId={customerId} onClose={close} /> : null}
      {task?.kind === 'edit' ? <EditNoteDialog note={task.note} onClose={close} /> : null}
      <ConfirmDialog
        open={removing !== null}
        title={t('removeNoteTitle')}
        confirmLabel={t('removeNote')}
        cancelLabel={t('keepNote')}
        isDangerous
        onConfirm={() => {
          if (removing) remove.mutate({ noteId: removing.noteId });
          close();
        }}
        onCancel={close}
      >
        {t('removeNoteText')}
      </ConfirmDialog>
    </Section>
  );
}

function NoteItem({ note, onChoose }: { note: Note; onChoose: (task: Task) => void }) {
  const t = useTranslations('counter');
  const { dateTime } = useFormat();
  const { text, by, createdAt, editedAt, canChange } = note;
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return (
    <li className="flex items-start justify-between gap-2 border-t border-line py-2.5">
      <div className="min-w-0">
        <p className="wrap-anywhere whitespace-pre-line">{text}</p>
        <p className="mt-0.5 text-muted">
          {t(editedAt ? 'noteEdited' : 'noteBy', { name: by, time: dateTime(createdAt) })}
        </p>
      </div>
      {canChange ? (
        <div className="-mt-2 -mr-2 flex shrink-0">
          <button
            type="button"
            className={iconButtonLook}
            aria-label={t('editNoteOf', { text: short })}
            onClick={() => onChoose({ kind: 'edit', note })}
          >
            <Pencil className="size-4" aria-hidden="true" />
          </button>
          <button
            type="button"
            className={iconButtonLook}
            aria-label={t('removeNoteOf', { text: short })}
            onClick={() => onChoose({ kind: 'remove', note })}
          >
            <Trash2 className="size-4" aria-hidden="true" />
          </button>
        </div>
      ) : null}
    </li>
  );
}

function AddNoteDialog({ customerId, onClose }: { customerId: string; onClose: () => void }) {
  const t = useTranslations('counter');
  const { settle } = useChange('customers');
  const add = useMutation(useTRPC().customers.addNote.mutationOptions({ onSettled: settle.onSettled }));
  const form = useZodForm(addNoteInput, { customerId, text: '' });
  return (
    <Dialog open onClose={onClose} title={t('addNote')}>
      <Form
        form={form}
        saveLabel={t('addNote')}
        savedMessage={t('noteAdded')}
        onCancel={onClose}
        onSave={async (input) => {
          await add.mutateAsync(input);
          onClose();
        }}
      >
        <TextAreaField name="text" label={t('note')} hint={t('notesText')} />
      </Form>
    </Dialog>
  );
}

function EditNoteDialog({ note: { noteId, text }, onClose }: { note: Note; onClose: () => void }) {
  const t = useTranslations('counter');
  const { settle } = useChange('customers');
  const edit = useMutation(useTRPC().customers.editNote.mutationOptions({ onSettled: settle.onSettled }));
  const form = useZodForm(editNoteInput, { noteId, text });
  return (
    <Dialog open onClose={onClose} title={t('editNote')}>
      <Form
        form={form}
        savedMessage={t('noteSaved')}
        onCancel={onClose}
        onSave={async (input) => {
          await edit.mutateAsync(input);
          onClose();
        }}
      >
        <TextAreaField name="text" label={t('note')} hint={t('notesText')} />
      </Form>
    </Dialog>
  );
}
