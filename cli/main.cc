#include <cstdio>
#include <chrono>
#include "core/artifact/etdump_reader.h"
#include "core/artifact/etrecord_reader.h"
#include "core/profile/pairing.h"
#include "core/profile/attribution.h"
using namespace etlens;
int main(int argc, char** argv) {
  using C=std::chrono::steady_clock; auto t=C::now();
  auto ms=[&]{double d=std::chrono::duration<double,std::milli>(C::now()-t).count(); t=C::now(); return d;};
  auto rec=std::make_shared<EtRecord>(); 
  auto r=read_etrecord(real_file_system(),argv[1]); if(!r){printf("%s %s\n",argv[1],r.error().message.c_str());return 1;}
  *rec=std::move(*r); double t0=ms();
  for (int i=2;i<argc;i++) { ms();
      auto b = real_file_system().read(argv[i]); 
      auto l = read_etdump(*b); double t1=ms();
      auto log=std::make_shared<EventLog>(std::move(*l));
      auto trees=build_event_trees(*log); auto blocks=group_blocks(*log,trees);
      auto sel=select_block(*log,trees,blocks,rec.get(),{});
      double t2=ms();
      if(!sel){printf("%s: %s\n",argv[i],sel.error().message.c_str());continue;}
      AttributionRequest q; q.log=log;q.record=rec;q.trees=trees;q.blocks=blocks;q.block=sel->block; if(sel->fit)q.method=sel->fit->method;
      auto p=attribute(q); double t3=ms();
      auto&T=p.total; double d=T.total/100.0;
      printf("%s: %s score %.3f ex %zu | lines %.1f opaque %.1f overhead %.1f disp %.1f fw %.1f unattr %.1f | %zu lines %zu modules %zu parts [%.1f %.1f %.1f %.1f]\n",argv[i],p.selected().name.c_str(),sel->fit?sel->fit->score:-1,p.execution_count(),T.parts[0]/d,T.parts[1]/d,T.parts[2]/d,T.parts[3]/d,T.parts[4]/d,T.parts[5]/d,p.lines.size(),p.modules.size(),p.partitions.size(),t0,t1,t2,t3);
      if(sel->fit) for(auto&x:sel->fit->reasons) printf("     %s\n",x.c_str());
      for(auto&x:p.report.rows()) printf("     %s %lu %s\n",info_of(x.oddity).id.data(),(unsigned long)x.count,x.first.c_str());
  }
}
