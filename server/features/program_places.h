// SPDX-License-Identifier: Apache-2.0
// What the lists about a program share: its source lines, each said once.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/extensions/place.h"
#include "server/features/features.h"
#include "server/load/open_program.h"
#include "server/session/session.h"

namespace etlens {

class ProgramPlaces {
 public:
  ProgramPlaces(Session& session, const OpenProgram& program)
      : session_(session), program_(program) {}

  // Into take(); nullopt for an invalid line. `method`: whose code it is of.
  std::optional<uint32_t> add(size_t method, LineId line);
  std::vector<extensions::SourceLine> take() { return std::move(places_); }

 private:
  extensions::SourceLine place(size_t method, LineId line);
  LineId find_in_study(const Code& code, const CodeLine& row) const;

  Session& session_;
  const OpenProgram& program_;
  std::map<std::pair<std::string_view, uint32_t>, uint32_t> known_;  // by recorded path and line
  std::vector<extensions::SourceLine> places_;
};

// The method of that name; without one the one that is on the lines, if the program has it, else the
// program's first of some size.
std::optional<size_t> chosen_method(const Session& session, const EtProgram& program,
                                    const std::optional<std::string>& name);

extensions::ByteCount byte_count(uint64_t bytes);

// Begins an answer about a program: its generation and files. Null if the program could not be read;
// then the answer has the reason.
template <typename Answer>
const OpenProgram* begin_answer(const Session& session, const ProgramLoader::Program& program,
                                Answer& answer) {
  answer.generation = session.generation();
  if (!program) {
    answer.why = program.error().message;
    return nullptr;
  }
  answer.pte = (*program)->pte;
  answer.etrecord = text_if_any((*program)->etrecord);
  return program->get();
}

}  // namespace etlens
