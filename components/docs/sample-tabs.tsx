'use client';

import { createContext, type ReactNode, use, useId, useState } from 'react';
import { storeChoice } from '../keep-language';
import { CopyButton } from '../ui/copy-button';
import { copyWords, sampleCookie } from './sample-choice';

export interface ShownSample {
  language: string;
  code: string;
}

interface Choice {
  names: Record<string, string>;
  language: string;
  choose(language: string): void;
}

const SampleLanguage = createContext<Choice | null>(null);

interface SampleLanguagesProps {
  /** The languages' names, by their key. */
  names: Record<string, string>;
  /** The reader's earlier choice. */
  initial: string;
  children: ReactNode;
}

/** Shows all samples of the page in the language that was chosen last. The browser remembers it. */
export function SampleLanguages({ names, initial, children }: SampleLanguagesProps) {
  const [language, setLanguage] = useState(initial);
  function choose(chosen: string) {
    setLanguage(chosen);
    storeChoice(sampleCookie, chosen);
  }
  return <SampleLanguage value={{ names, language, choose }}>{children}</SampleLanguage>;
}

/** One request in several languages. Radio buttons and styles choose the visible one, so it works without scripts. */
export function SampleTabs({ samples }: { samples: ShownSample[] }) {
  const choice = use(SampleLanguage);
  const group = useId();
  if (!choice) throw new Error('SampleTabs needs SampleLanguages around it');
  return (
    <figure className="sample overflow-hidden rounded-xl border border-code-line bg-code text-on-code">
      <fieldset className="flex min-h-12 flex-wrap items-center gap-x-1 border-b border-code-line px-2 py-1.5 text-xs text-on-code-muted">
        <legend className="sr-only">Language of the sample</legend>
        {samples.map(({ language }) => (
          <label
            key={language}
            className="relative cursor-pointer rounded-md px-2.5 py-2 transition-colors hover:text-on-code has-checked:bg-code-line has-checked:text-on-code has-focus-visible:outline-2 has-focus-visible:outline-zest"
          >
            <input
              type="radio"
              name={group}
              value={language}
              checked={language === choice.language}
              onChange={() => choice.choose(language)}
              className="sr-only"
            />
            {choice.names[language]}
          </label>
        ))}
      </fieldset>
      {samples.map(({ language, code }) => (
        <div key={language} data-language={language}>
          <div className="float-right mt-2 mr-2 ml-4">
            <CopyButton text={code} label={`Copy: ${choice.names[language]}`} words={copyWords} />
          </div>
          <pre className="px-4 py-4 font-mono text-[0.8125rem]/6 wrap-anywhere whitespace-pre-wrap">{code}</pre>
        </div>
      ))}
    </figure>
  );
}
